import type { NumberStyle } from './read-styles.ts';

/** What the cells of all sheets refer to. */
export interface WorkbookParts {
  texts: readonly string[];
  /** The style of numbers by the index of a cell's style. */
  styles: readonly NumberStyle[];
  is1904: boolean;
}

/** Replaces the notation of characters that XML cannot contain: `_x000D_`. */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text;
