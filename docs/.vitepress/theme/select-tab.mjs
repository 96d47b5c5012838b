// Tabs (../tabs.mjs): one choice for all groups of a kind, on every page and at the next visit.
const choiceOf = (kind) => document.documentElement.dataset[kind];

/** Marks the chosen tab of each group on the page; the styles show its panel. */
export function markTabs() {
  for (const group of document.querySelectorAll(".tabs")) {
    const buttons = buttonsOf(group);
    const chosen = buttons.find(({ dataset }) => dataset.choice === choiceOf(group.dataset.kind)) ?? buttons[0];
    for (const button of buttons) {
      button.setAttribute("aria-selected", String(button === chosen));
      button.tabIndex = button === chosen ? 0 : -1;
    }
  }
}

const buttonsOf = (group) => [...group.querySelectorAll(':scope > [role="tablist"] > button')];

function select(button) {
  const { kind } = button.closest(".tabs").dataset;
  const { choice } = button.dataset;
  const before = button.getBoundingClientRect().top;
  document.documentElement.dataset[kind] = choice;
  try {
    localStorage.setItem(`cardea-docs:${kind}`, choice);
  } catch {
    // Storage is blocked: the choice lasts as long as the page.
  }
  markTabs();
  // Groups above have another height now: what the reader looks at stays where it is.
  scrollBy({ top: button.getBoundingClientRect().top - before, behavior: "instant" });
}

const STEPS = { ArrowRight: 1, ArrowLeft: -1 };

/** Handles the tabs of every page. */
export function listenToTabs() {
  document.addEventListener("click", ({ target }) => {
    const button = target.closest?.('.tabs [role="tab"]');
    if (button) select(button);
  });
  document.addEventListener("keydown", ({ target, key }) => {
    const button = target.closest?.('.tabs [role="tab"]');
    if (!button || !(key in STEPS)) return;
    const buttons = buttonsOf(button.closest(".tabs"));
    const next = buttons.at((buttons.indexOf(button) + STEPS[key]) % buttons.length);
    next.focus();
    select(next);
  });
}
