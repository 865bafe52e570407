"use strict";
// A view of finplan: it speaks JSON-RPC with the host that frames it, and reaches nothing else.
// What it shows comes as a tree of plain values; names that strangers wrote become texts, never HTML.

const STATUS = document.getElementById("status");
const DRAWN = document.getElementById("drawn");
const PAGE = document.documentElement;

// --- the host --------------------------------------------------------------------------------------

const waiting = new Map();
let lastId = 0;

function send(message) {
  // The host's origin is its own affair, and nothing is sent that it did not hand over.
  window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
}

function tell(method, params) {
  send({ method, params });
}

function ask(method, params) {
  return new Promise((done, fail) => {
    lastId += 1;
    waiting.set(lastId, { done, fail });
    send({ id: lastId, method, params });
  });
}

const TOLD = {
  "ui/notifications/tool-input": () => say("Working on it …"),
  "ui/notifications/tool-input-partial": () => say("Working on it …"),
  "ui/notifications/tool-result": show,
  "ui/notifications/tool-cancelled": () => say("Canceled."),
  "ui/notifications/host-context-changed": dress,
};

window.addEventListener("message", event => {
  const message = event.data;
  if (event.source !== window.parent || message === null || message?.jsonrpc !== "2.0") return;
  if (message.method === undefined) {
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error) asked?.fail(new Error(message.error.message));
    else asked?.done(message.result);
  } else if (message.id === undefined) {
    TOLD[message.method]?.(message.params ?? {});
  } else if (["ping", "ui/resource-teardown"].includes(message.method)) {
    send({ id: message.id, result: {} });
  } else {
    send({ id: message.id, error: { code: -32601, message: `No ${message.method} here.` } });
  }
});

// --- how it looks ------------------------------------------------------------------------------------

const night = window.matchMedia("(prefers-color-scheme: dark)");
let theme;

function dress(context) {
  theme = context.theme ?? theme;
  PAGE.dataset.theme = theme ?? (night.matches ? "dark" : "light");
}

function say(text, wrong = false) {
  STATUS.textContent = text;
  STATUS.className = wrong ? "alert" : "soft";
  STATUS.setAttribute("role", wrong ? "alert" : "status");
}

// --- what it shows -----------------------------------------------------------------------------------

const SVG = "http://www.w3.org/2000/svg";
const DRAWINGS = new Set("svg g title desc rect path line circle text polyline polygon tspan".split(" "));
const ELEMENTS = new Set((
  "header footer section div p h1 h2 h3 span bdi code a ul ol li dl dt dd table caption thead tbody tr"
  + " th td figure figcaption details summary form label select optgroup option input button br strong"
).split(" "));
const REFUSED = /^(on|style$|src|href$|xlink|action$|form|method$|target$)/i;

function build(node, within = null) {
  if (typeof node === "string") return document.createTextNode(node);
  const [name, attributes, ...children] = node;
  const drawing = name === "svg" || (within === SVG && DRAWINGS.has(name));
  if (!drawing && !ELEMENTS.has(name)) return document.createTextNode("");
  const made = drawing ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (!REFUSED.test(key)) made.setAttribute(key, value);
  }
  // A button sends no form: what it does goes to the host.
  if (name === "button") made.type = "button";
  made.append(...children.map(child => build(child, drawing ? SVG : null)));
  return made;
}

function drawnOf(result) {
  const tree = result._meta?.["finplan/view"];
  return Array.isArray(tree) ? tree.map(node => build(node)) : null;
}

function textOf(result) {
  return (result.content ?? []).map(each => each.text ?? "").join("\n");
}

function show(result) {
  if (result.isError) {
    say(textOf(result), true);
    return;
  }
  say("");
  decimals = result._meta?.["finplan/decimals"] ?? decimals;
  const drawn = drawnOf(result);
  if (drawn !== null) {
    DRAWN.replaceChildren(...drawn);
    return;
  }
  const lines = textOf(result).split("\n").map(line => {
    const made = document.createElement("p");
    made.textContent = line;
    return made;
  });
  DRAWN.replaceChildren(...lines);
}

// --- what is done in it ------------------------------------------------------------------------------

const DOES = { look: lookAt, keep: keep, each: keep, dismiss: keep, undo: keep, build: rebuild };
const TYPED = /^(-?)(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d+))?$/;

let decimals = 2;

function minorUnits(text) {
  const [, sign, units, fraction = ""] = TYPED.exec(text) ?? [];
  const exact = fraction.replace(/0+$/, "");
  if (units === undefined || exact.length > decimals) {
    throw new Error(`Write the amount like ${(12.5).toFixed(decimals)}, or leave it empty for any amount.`);
  }
  return Number(sign + units.replaceAll(",", "") + exact.padEnd(decimals, "0"));
}

function answerOf(does, fields) {
  const id = fields.get("id");
  if (does === "dismiss") return { id, dismiss: true };
  if (does === "undo") return { id, undo: true };
  if (does === "each") return { id, each: true };
  const typed = (fields.get("amount") ?? "").trim();
  const amount = typed ? { amount: minorUnits(typed) } : {};
  const direction = fields.get("direction") || "both";
  return { id, answer: fields.get("category"), direction, ...amount };
}

async function call(name, given) {
  const result = await ask("tools/call", { name, arguments: given });
  if (result.isError) throw new Error(textOf(result));
  return result;
}

async function lookAt(fields, button) {
  if (!fields.get("category")) throw new Error("Choose a category first.");
  const result = await call("answer_task", { ...answerOf("look", fields), preview: true });
  const drawn = drawnOf(result) ?? [document.createTextNode(textOf(result))];
  button.closest("section").replaceWith(...drawn);
  DRAWN.querySelector("button[value=keep]")?.focus();
}

async function keep(fields, button) {
  const kept = await call("answer_task", answerOf(button.value, fields));
  show(await call("list_tasks", {}));
  DRAWN.prepend(...(drawnOf(kept) ?? [document.createTextNode(textOf(kept))]));
}

async function rebuild() {
  say("Building the plan …");
  show(await call("build_plan", {}));
}

async function again() {
  show(await call("list_tasks", {}));
}

DRAWN.addEventListener("submit", event => event.preventDefault());
DRAWN.addEventListener("click", async event => {
  const button = event.target.closest("button[name=do]");
  const act = button && (button.value === "again" ? again : DOES[button.value]);
  if (!act) return;
  const form = button.closest("form");
  button.disabled = true;
  say("");
  try {
    await act(new FormData(form ?? undefined), button);
  } catch (error) {
    say(error.message, true);
  }
  button.disabled = false;
});

// --- the beginning -----------------------------------------------------------------------------------

async function begin() {
  dress({});
  night.addEventListener("change", () => dress({}));
  const host = await ask("ui/initialize", {
    protocolVersion: "2026-01-26",
    appInfo: { name: "finplan", version: "1" },
    appCapabilities: { availableDisplayModes: ["inline"] },
  });
  dress(host.hostContext ?? {});
  // Where the host calls no tools for a view, questions are answered in the conversation.
  document.body.classList.toggle("looking-only", !host.hostCapabilities?.serverTools);
  tell("ui/notifications/initialized", {});
  new ResizeObserver(() => {
    const { width, height } = document.body.getBoundingClientRect();
    tell("ui/notifications/size-changed", { width: Math.ceil(width), height: Math.ceil(height) });
  }).observe(document.body);
}

begin().catch(error => say(error.message, true));
