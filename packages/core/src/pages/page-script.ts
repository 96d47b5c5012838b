// Made from enhance-page.js by tools/page-scripts.mjs.

/** The script of pages with a password field or a text to copy. ASCII only. */
export const PAGE_SCRIPT: string = "(()=>{const s=document.currentScript.previousElementSibling,o=t=>document.querySelectorAll(t);for(const t of o(\".secret input\")){const e=s.content.firstElementChild.cloneNode(!0),a=n=>{const{selectionStart:i,selectionEnd:c}=t;t.type=n?\"text\":\"password\",e.setAttribute(\"aria-pressed\",n),document.activeElement===t&&t.setSelectionRange(i,c)};e.setAttribute(\"aria-controls\",t.id),e.onmousedown=n=>n.preventDefault(),e.onclick=()=>a(t.type===\"password\"),t.form.addEventListener(\"submit\",()=>a(!1)),t.after(e)}for(const t of o(\"[data-copy]\"))t.hidden=!navigator.clipboard,t.onclick=async()=>{await navigator.clipboard.writeText(t.dataset.copy);const e=t.nextElementSibling;t.dataset.done=\"\",e.textContent=t.lastChild.textContent,setTimeout(()=>{delete t.dataset.done,e.textContent=\"\"},2e3)};for(const t of o(\"[data-print]\"))t.hidden=!1,t.onclick=()=>print()})();";

/** The hash of the script, as `integrity` and a Content-Security-Policy name it (SRI §3.1). */
export const PAGE_SCRIPT_HASH: string = "sha256-ae+UrAWMfn7BxqNf+U1IveMRxfcR+0qLSB9H65fp4y4=";
