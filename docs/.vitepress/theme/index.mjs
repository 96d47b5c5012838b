import { onContentUpdated, useData, withBase } from "vitepress";
import DefaultTheme from "vitepress/theme";
import { h, onMounted } from "vue";
import { listenToTabs, markTabs } from "./select-tab.mjs";
import "./landing.css";
import "./tables.css";
import "./tabs.css";

export default {
  extends: DefaultTheme,
  Layout: {
    setup() {
      const { frontmatter, page } = useData();
      onMounted(listenToTabs);
      onContentUpdated(markTabs);
      return () =>
        h(DefaultTheme.Layout, undefined, {
          "home-hero-image": () =>
            h("pre", { class: "terminal" }, frontmatter.value.terminal.split("\n").map(terminalLine)),
          "home-hero-actions-after": () => frontmatter.value.isPreRelease && h("p", { class: "status" }, STATUS()),
          "doc-footer-before": () =>
            h(
              "p",
              { class: "as-markdown" },
              h("a", { href: withBase(`/${page.value.relativePath}`), target: "_self" }, "This page as Markdown"),
            ),
        });
    },
  },
};

const terminalLine = (line) => h("code", { class: line.startsWith("$ ") ? "typed" : "printed" }, line);

const STATUS = () => [
  "Pre-release: no package is on npm yet, and there has been no external review. ",
  h("a", { href: withBase("/promises.html") }, "What it guarantees"),
];
