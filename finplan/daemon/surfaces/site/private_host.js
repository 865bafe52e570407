// Leads a browser from the address that all programs of this machine share to the name that it alone knows.
"use strict";

const KEY = "finplan-private-host";
const sharedPath = document.currentScript.dataset.path;

function addressOf(name) {
  return `http://${name}.localhost:${location.port}`;
}

function keptName() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // The person lets pages keep nothing.
  }
}

async function arrive(form) {
  const name = keptName() ?? form.dataset.name;
  try {
    await fetch(addressOf(name) + form.dataset.probe, { cache: "no-store" });
    localStorage.setItem(KEY, name);
    form.action = addressOf(name) + new URL(form.action).pathname;
  } catch {
    // This browser does not find the name, or may not keep it: the session stays at the shared address.
  }
  form.submit();
}

const form = document.getElementById("arrival");
if (form !== null) {
  arrive(form);
} else if (keptName() !== null) {
  location.replace(addressOf(keptName()) + sharedPath);
}
