// A strict client of others drives the authorization server: every check of oauth4webapi holds.
//
// Called with the folder that oauth4webapi is installed in, the site's address, and a session's cookie.
// What it does is printed as one line of JSON, with the two codes that a person would enter.
const [folder, site, cookie] = process.argv.slice(2);
const oauth = await import(`${folder}/node_modules/oauth4webapi/build/index.js`);
const options = { [oauth.allowInsecureRequests]: true };
const seen = [];
const note = (what) => seen.push(what);

const resource = new URL(`${site}/mcp`);
const metadata = await oauth.processResourceDiscoveryResponse(
  resource,
  await oauth.resourceDiscoveryRequest(resource, options),
);
const issuer = new URL(metadata.authorization_servers[0]);
note("resource discovery");
for (const algorithm of ["oauth2", "oidc"]) {
  await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { ...options, algorithm }),
  );
  note(`discovery ${algorithm}`);
}
const server = await oauth.processDiscoveryResponse(
  issuer,
  await oauth.discoveryRequest(issuer, { ...options, algorithm: "oauth2" }),
);

const redirect = "http://127.0.0.1:53211/callback";
const client = await oauth.processDynamicClientRegistrationResponse(
  await oauth.dynamicClientRegistrationRequest(
    server,
    {
      client_name: "oauth4webapi",
      redirect_uris: ["http://127.0.0.1/callback"],
      token_endpoint_auth_method: "none",
    },
    options,
  ),
);
note("registration");

const verifier = oauth.generateRandomCodeVerifier();
const state = oauth.generateRandomState();
const nonce = oauth.generateRandomNonce();
const asking = new URL(server.authorization_endpoint);
for (const [name, value] of Object.entries({
  client_id: client.client_id,
  code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
  code_challenge_method: "S256",
  nonce,
  prompt: "consent",
  redirect_uri: redirect,
  resource: site,
  response_type: "code",
  scope: "openid profile email service:read service:write offline_access",
  state,
})) {
  asking.searchParams.set(name, value);
}
const browser = { cookie, accept: "text/html", "sec-fetch-site": "same-origin" };

async function send(page, path, fields) {
  const text = await page.text();
  const form = text.slice(text.lastIndexOf("<form"));
  const sent = new URLSearchParams(fields);
  for (const [, name, value] of form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)) {
    sent.set(name, value.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll("&#x27;", "'"));
  }
  return fetch(`${site}${path}`, { method: "POST", body: sent, headers: browser, redirect: "manual" });
}

const page = await fetch(asking, { headers: browser });
const allowed = await send(page, "/auth/oauth2/authorize", { do: "allow" });
const back = new URL(allowed.headers.get("location"));
const parameters = oauth.validateAuthResponse(server, client, back, state);
note("authorization response");

const none = oauth.None();
const exchanged = await oauth.authorizationCodeGrantRequest(
  server, client, none, parameters, redirect, verifier, options,
);
const tokens = await oauth.processAuthorizationCodeResponse(server, client, exchanged, {
  expectedNonce: nonce,
  requireIdToken: true,
});
await oauth.validateApplicationLevelSignature(server, exchanged, options);
note("code, id token and its signature");

const claims = oauth.getValidatedIdTokenClaims(tokens);
await oauth.processUserInfoResponse(
  server,
  client,
  claims.sub,
  await oauth.userInfoRequest(server, client, tokens.access_token, options),
);
note("userinfo");

const refreshed = await oauth.processRefreshTokenResponse(
  server,
  client,
  await oauth.refreshTokenGrantRequest(server, client, none, tokens.refresh_token, options),
);
note("refresh");

const used = await oauth.protectedResourceRequest(
  refreshed.access_token, "GET", new URL(`${site}/api/v1/me`), undefined, undefined, options,
);
if (used.status !== 200) throw new Error(`me: ${used.status}`);
note("use");

await oauth.processRevocationResponse(
  await oauth.revocationRequest(server, client, none, refreshed.refresh_token, options),
);
try {
  await oauth.protectedResourceRequest(
    refreshed.access_token, "GET", new URL(`${site}/api/v1/me`), undefined, undefined, options,
  );
  throw new Error("A revoked token was taken.");
} catch (error) {
  if (!(error instanceof oauth.WWWAuthenticateChallengeError)) throw error;
  if (error.cause[0].parameters.error !== "invalid_token") throw new Error("No invalid_token.");
}
note("revocation, and its challenge");

// An agent without an account, by the same client's generic grants.
const introduced = await (await fetch(server.agent_auth.identity_endpoint, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ type: "anonymous" }),
})).json();
const agent = { client_id: "an-agent-needs-none" };
const nobody = () => {};
const grant = async (type, fields) => oauth.processGenericTokenEndpointResponse(
  server,
  agent,
  await oauth.genericTokenEndpointRequest(server, agent, nobody, type, fields, options),
);
const bearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const claim = "urn:example:agent-auth:grant-type:claim";
await grant(bearer, { assertion: introduced.identity_assertion });
note("assertion grant");
try {
  await grant(claim, { claim_token: introduced.claim_token });
  throw new Error("An unclaimed agent got a token.");
} catch (error) {
  if (error.error !== "authorization_pending") throw error;
}
note("authorization_pending");
const me = await (await fetch(`${site}/api/v1/me`, { headers: { cookie, "sec-fetch-site": "none" } })).json();
const attempt = (await (await fetch(server.agent_auth.claim_endpoint, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ claim_token: introduced.claim_token, email: me.email }),
})).json()).claim_attempt;
const claiming = await fetch(attempt.verification_uri, { headers: browser });
const entered = await send(claiming, "/claim", { do: "claim", code: attempt.user_code });
if (entered.status !== 200) throw new Error(`claim: ${entered.status} ${await entered.text()}`);
const claimed = await grant(claim, { claim_token: introduced.claim_token });
await grant(bearer, { assertion: claimed.identity_assertion });
note("claim grant");

console.log(JSON.stringify(seen));
