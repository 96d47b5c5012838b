import type { Node, SourceFile } from "ts-morph";
import { wholeLines } from "./source-style.ts";

/** A replacement in one file: `text` replaces the range from `start` to `end`. */
export interface Edit {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * One line of the report. `changed`: done. `left`: requires a manual edit. `look`: works, but behaves differently or
 * needs review.
 */
export interface Note {
  readonly kind: "changed" | "left" | "look";
  readonly path: string;
  /** Position in the file; undefined for the file as a whole. */
  readonly at: number | undefined;
  readonly what: string;
  readonly why?: string | undefined;
}

/** The text of one file that goes on in another one, with these edits. */
interface Move {
  readonly from: string;
  readonly to: string;
  readonly edits: readonly Edit[];
}

/** A named import that edits require. */
export interface WantedImport {
  readonly path: string;
  readonly module: string;
  readonly name: string;
  readonly isType: boolean;
}

/** The changes of one rule: edits, whole files and notes. The rule itself modifies nothing. */
export class Draft {
  readonly edits: Edit[] = [];
  readonly notes: Note[] = [];
  readonly imports: WantedImport[] = [];
  /** Where notes about a place of a file find this place from now on. */
  readonly moves: Move[] = [];
  /** New files by path; null removes the file. */
  readonly files = new Map<string, string | null>();
  /** Packages to add to and remove from `dependencies`. */
  readonly added = new Set<string>();
  readonly removed = new Set<string>();

  /** Replaces a node, excluding leading comments and whitespace. */
  replace(node: Node, text: string): void {
    this.#edit(node.getSourceFile(), node.getStart(), node.getEnd(), text);
  }

  /** Removes a statement and the lines that it occupies. */
  remove(node: Node): void {
    const file = node.getSourceFile();
    const { start, end } = wholeLines(file.getFullText(), node.getStart(), node.getEnd());
    this.#edit(file, start, end, "");
  }

  insert(file: SourceFile, at: number, text: string): void {
    this.#edit(file, at, at, text);
  }

  /** Replaces part of a file that is not source code. */
  editText(path: string, start: number, end: number, text: string): void {
    this.edits.push({ path, start, end, text });
  }

  /** Adds an import, unless the file already has it. */
  import(file: SourceFile, module: string, name: string, isType = false): void {
    this.imports.push({ path: file.getFilePath(), module, name, isType });
  }

  note(kind: Note["kind"], place: Node | string, what: string, why?: string): void {
    const isPath = typeof place === "string";
    const path = isPath ? place : place.getSourceFile().getFilePath();
    this.notes.push({ kind, path, at: isPath ? undefined : place.getStart(), what, why });
  }

  #edit(file: SourceFile, start: number, end: number, text: string): void {
    this.edits.push({ path: file.getFilePath(), start, end, text });
  }
}

/** One step of the migration. */
export type Rule = (application: import("./application.ts").Application) => Draft;
