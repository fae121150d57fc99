// New mails appear by themselves; a mail that somebody has opened stays open.
const refresh = async () => {
  const response = await fetch(location.href, { cache: "no-store" });
  if (!response.ok) {
    location.assign("/_dev/mail");
    return;
  }
  const next = new DOMParser().parseFromString(await response.text(), "text/html");
  const parts = document.body.classList.contains("chosen") ? [".bar", "#list"] : [".bar", "#list", "#mail"];
  const scrolled = document.getElementById("list").scrollTop;
  for (const part of parts) document.querySelector(part).replaceWith(next.querySelector(part));
  document.getElementById("list").scrollTop = scrolled;
  document.body.dataset.state = next.body.dataset.state;
  document.title = next.title;
  prepare();
};

const prepare = () => {
  const button = document.getElementById("clear");
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    if (!confirm("Delete all mails?")) return;
    await fetch("/_dev/mail", { method: "DELETE" });
    location.assign("/_dev/mail");
  });
};

const look = async () => {
  try {
    const response = await fetch("/_dev/mail.json", { method: "HEAD", cache: "no-store" });
    if (response.ok && response.headers.get("x-mailbox-state") !== document.body.dataset.state) await refresh();
  } catch {
    // The server is restarting: the next look finds it.
  }
  setTimeout(look, document.hidden ? 10000 : 2000);
};

prepare();
setTimeout(look, 2000);
