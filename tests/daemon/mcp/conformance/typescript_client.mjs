// The client of the protocol's SDK for TypeScript meets a 401, is let in by OAuth, and calls a tool.
//
// Called with the folder that it is installed in, the site's address, a session's cookie, and an era of the
// protocol. What it was told is printed as one line of JSON.
const [folder, site, cookie, era] = process.argv.slice(2);
const { Client, StreamableHTTPClientTransport, UnauthorizedError } = await import(
  `${folder}/node_modules/@modelcontextprotocol/client/dist/index.mjs`
);
const callback = "http://127.0.0.1:53211/callback";
const kept = {};
let back;

// A person's browser: it opens the page of consent, and allows what it says.
async function consent(url) {
  const browser = { cookie, accept: "text/html", "sec-fetch-site": "same-origin" };
  const page = await (await fetch(url, { headers: browser })).text();
  const form = page.slice(page.lastIndexOf("<form"));
  const sent = new URLSearchParams({ do: "allow" });
  for (const [, name, value] of form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)) {
    sent.set(name, value.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll("&#x27;", "'"));
  }
  const allowed = await fetch(`${site}/auth/oauth2/authorize`, {
    method: "POST",
    body: sent,
    headers: browser,
    redirect: "manual",
  });
  back = new URL(allowed.headers.get("location"));
}

const provider = {
  redirectUrl: callback,
  clientMetadata: {
    client_name: "TypeScript SDK",
    redirect_uris: [callback],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  },
  clientInformation: () => kept.client,
  saveClientInformation: (client) => void (kept.client = client),
  tokens: () => kept.tokens,
  saveTokens: (tokens) => void (kept.tokens = tokens),
  codeVerifier: () => kept.verifier,
  saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
  redirectToAuthorization: consent,
};

const made = () =>
  new Client(
    { name: "test", version: "1" },
    { versionNegotiation: { mode: era === "legacy" ? "legacy" : { pin: era } } },
  );
const reach = () => new StreamableHTTPClientTransport(new URL(`${site}/mcp`), { authProvider: provider });
const first = reach();
let refused = false;
try {
  await made().connect(first);
} catch (error) {
  if (!(error instanceof UnauthorizedError)) throw error;
  refused = true;
}
await first.finishAuth(back.searchParams);

const client = made();
await client.connect(reach());
const { tools } = await client.listTools();
const result = await client.callTool({ name: "list_accounts", arguments: {} });
console.log(
  JSON.stringify({
    refused,
    version: client.getNegotiatedProtocolVersion?.() ?? null,
    tools: tools.map((tool) => tool.name),
    isError: result.isError ?? false,
    accounts: result.structuredContent.accounts.length,
  }),
);
await client.close();
