// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
const post = (path, value) => fetch(path, {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(value)});
const byId = (id) => document.getElementById(id);
async function begin() {
  const key = new URLSearchParams(location.hash.slice(1)).get("k");
  if (key) {
    history.replaceState(null, "", "/");
    await post("/enter", {key});
  }
  const events = new EventSource("/events");
  events.addEventListener("say", (event) => { byId("polite").textContent = JSON.parse(event.data).text; });
  events.addEventListener("state", (event) => { byId("state").textContent = event.data; });
}
byId("line").addEventListener("submit", (event) => {
  event.preventDefault();
  const id = Array.from(crypto.getRandomValues(new Uint8Array(16)), (n) => n.toString(16).padStart(2, "0")).join("");
  post("/type", {id, text: byId("text").value});
  byId("text").value = "";
});
begin();
