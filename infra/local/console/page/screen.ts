import type { TemplateResult } from 'lit-html';

/** An opened screen. `close` ends its subscriptions. */
export interface OpenedScreen {
  view: () => TemplateResult;
  close?: () => void;
}

/**
 * A screen of the menu. `path` and `query` are the parts of the address after the screen's name. `update` renders the view
 * again.
 */
export interface Screen {
  title: string;
  open(path: string[], update: () => void, query: URLSearchParams): OpenedScreen | Promise<OpenedScreen>;
}

/** The response of an endpoint of the console that returns the result of a function. */
export type Answer<F extends (...given: never[]) => unknown> = Awaited<ReturnType<F>>;
