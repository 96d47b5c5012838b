// What a script adds to the built-in pages: passwords can be shown, texts copied, pages printed. Without it, they work the same.
//
// In the page as it is here, without comments and white space; its hash is in the Content-Security-Policy. It sends and loads nothing, and
// contains no `<`, which has no escape in a script element. After a change: node tools/page-scripts.mjs --write
(() => {
  const template = document.currentScript.previousElementSibling;
  const all = (selector) => document.querySelectorAll(selector);

  for (const input of all(".secret input")) {
    const button = template.content.firstElementChild.cloneNode(true);
    const show = (isShown) => {
      const { selectionStart, selectionEnd } = input;
      input.type = isShown ? "text" : "password";
      button.setAttribute("aria-pressed", isShown);
      if (document.activeElement === input) input.setSelectionRange(selectionStart, selectionEnd);
    };
    button.setAttribute("aria-controls", input.id);
    // A click leaves the focus, and with it the keyboard of a phone, where it is.
    button.onmousedown = (event) => event.preventDefault();
    button.onclick = () => show(input.type === "password");
    // Browsers remember what was typed in a text field.
    input.form.addEventListener("submit", () => show(false));
    input.after(button);
  }

  for (const button of all("[data-copy]")) {
    // Only pages on https, and on this machine, may copy.
    button.hidden = !navigator.clipboard;
    button.onclick = async () => {
      await navigator.clipboard.writeText(button.dataset.copy);
      const status = button.nextElementSibling;
      button.dataset.done = "";
      status.textContent = button.lastChild.textContent;
      setTimeout(() => {
        delete button.dataset.done;
        status.textContent = "";
      }, 2000);
    };
  }

  for (const button of all("[data-print]")) {
    button.hidden = false;
    button.onclick = () => print();
  }
})();
