// A host of MCP Apps, made of the protocol's own client and its AppBridge: it shows a view in a frame.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

const UI = { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } };
const INFO = { name: "host", version: "1" };
const client = new Client(INFO, { capabilities: { extensions: UI } });
const connected = client.connect(new StreamableHTTPClientTransport(new URL("/mcp", location.href)));
let bridge;

async function open(name, theme, tools = true) {
  await connected;
  const tool = (await client.listTools()).tools.find(each => each.name === name);
  const [file] = (await client.readResource({ uri: tool._meta.ui.resourceUri })).contents;
  const frame = document.createElement("iframe");
  frame.sandbox = "allow-scripts";
  frame.title = tool.title;
  document.querySelector("main").replaceChildren(frame);
  bridge = new AppBridge(client, INFO, tools ? { serverTools: {} } : {}, { hostContext: { theme } });
  bridge.onsizechange = ({ height }) => { frame.style.height = `${height}px`; };
  const ready = new Promise(done => { bridge.oninitialized = done; });
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  frame.srcdoc = file.text;
  await ready;
  await bridge.sendToolInput({ arguments: {} });
  await bridge.sendToolResult(await client.callTool({ name, arguments: {} }));
}

window.host = {
  open,
  dress: theme => bridge.setHostContext({ theme }),
  teardown: () => bridge.teardownResource({}),
};
