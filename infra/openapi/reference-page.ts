import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReferencePages } from '../../shared/endpoints/reference-pages.ts';
import type { OpenApiDocument } from './document.ts';
import { type Html, html } from './reference/html.ts';
import { chaptersOf, markdown, slugOf } from './reference/markdown.ts';
import {
  deliveryPage,
  operationPage,
  operationsOf,
  type PlacedOperation,
} from './reference/operation-page.ts';

const ownFile = (name: string) => readFileSync(join(import.meta.dirname, 'reference', name), 'utf8');

/**
 * The API reference as static HTML: the start page with the introduction and all operations, and one page for each
 * operation and each kind of delivery. The script only adds search, navigation without reloads, and forms.
 *
 * CPU time of Chromium until the page is readable, CPU time to open an operation, and size of the first load:
 * - these pages: 0.1 s, 0.07 s, 20 KB
 * - OpenAPI Explorer: 0.7 s, 0.5 s, 238 KB
 * - Stoplight Elements: 1.5 s, 0.4 s, 581 KB
 * - Scalar: 2.3 s, 1.5 s, 914 KB
 * - Swagger UI: 3.0 s, 2.5 s, 469 KB; with only one operation, as a form to try it: 2.3 s, 464 KB
 * - Redoc: 3.4 s, 1.4 s, 305 KB; has no form
 *
 * In the other renderers, the form that sends a request repeats the documentation of the operation. Our pages
 * contain a smaller form.
 */
export function referencePages(document: OpenApiDocument): ReferencePages {
  const [start = '', middle = '', end = ''] = shellOf(document).split(/<!-- (?:title|main) -->/);
  const pages = {
    '': { title: html`${document.info.title} API reference`.text, main: startPage(document).text },
    ...Object.fromEntries(
      operationsOf(document).map((placed) => [
        placed.operation.operationId,
        { title: html`${placed.operation.summary}`.text, main: operationPage(document, placed).text },
      ]),
    ),
    ...Object.fromEntries(
      Object.keys(document.webhooks).map((kind) => [
        deliveryId(document, kind),
        { title: kind, main: deliveryPage(document, kind).text },
      ]),
    ),
  };
  return { shell: [start, middle, end], pages };
}

/** Fills the template of all pages. The comments in place of the title and of the main part remain. */
function shellOf(document: OpenApiDocument): string {
  const { title, version, summary } = document.info;
  const parts: Record<string, string> = {
    title: html`${title}`.text,
    version: html`${version}`.text,
    summary: html`${summary}`.text,
    navigation: navigation(document).text,
    style: `<style>${ownFile('page.css')}</style>`,
    script: `<script type="module">${ownFile('page.js')}</script>`,
  };
  return ownFile('page.html').replace(
    /\{\{(\w+)\}\}|<!-- (style|script) -->/g,
    (_, name: string, element: string) => parts[name ?? element] ?? '',
  );
}

const deliveryId = ({ webhooks }: OpenApiDocument, kind: string): string =>
  webhooks[kind]?.post.operationId ?? kind;

/** The table of contents: the chapters of the guide, and the operations of each group. */
function navigation(document: OpenApiDocument): Html {
  const group = (name: string, items: Html[]) =>
    html`<li><a class="group" href="docs#${slugOf(name)}">${name}</a><ul>${items}</ul></li>\n`;
  const chapters = chaptersOf(document.info.description ?? '');
  return html`<li><a class="group" href="docs">Guide</a><ul>${chapters.map(
    (chapter) => html`<li><a href="docs#${slugOf(chapter)}">${chapter}</a></li>`,
  )}</ul></li>
${groupsOf(document).map(({ name, operations }) =>
  group(
    name,
    operations.map(
      ({ method, path, operation }) =>
        html`<li><a href="docs?operation=${operation.operationId}" title="${path}"><b class="method ${method}">${method}</b> ${operation.summary}</a></li>`,
    ),
  ),
)}<li><a class="group" href="docs#webhook-events">Webhook events</a></li>`;
}

function groupsOf(document: OpenApiDocument) {
  const operations = operationsOf(document);
  return document.tags.map(({ name, description = '' }) => ({
    name,
    description,
    operations: operations.filter(({ operation }) => operation.tags.includes(name)),
  }));
}

function startPage(document: OpenApiDocument): Html {
  const { title, summary, description = '' } = document.info;
  return html`<article>
<h1>${title} API</h1>
<p class="summary">${summary}</p>
<div class="guide">${markdown(description)}</div>
${groupsOf(document).map(
  ({ name, description: text, operations }) => html`<section class="group-of-operations">
<h2 id="${slugOf(name)}">${name}</h2><p>${text}</p>
<ul>${operations.map(entry)}</ul>
</section>
`,
)}<section class="group-of-operations">
<h2 id="webhook-events">Webhook events</h2>
<p>Each delivery to a webhook contains one event of these kinds.</p>
<ul class="kinds">${Object.entries(document.webhooks).map(
    ([kind, { post }]) =>
      html`<li><a href="docs?operation=${post.operationId}"><code>${kind}</code></a> ${post.summary}</li>`,
  )}</ul>
</section>
</article>`;
}

const entry = ({ method, path, operation }: PlacedOperation): Html =>
  html`<li><h3><a href="docs?operation=${operation.operationId}">${operation.summary}</a></h3> <b class="method ${method}">${method}</b> <code>${path}</code></li>`;
