import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { OpenApiDocument } from './document.ts';
import type { ApiOperation } from './operation.ts';

const library = createRequire(import.meta.url);
const libraryFile = (name: string) => readFileSync(library.resolve(`swagger-ui-dist/${name}`), 'utf8');
const ownFile = (name: string) => readFileSync(join(import.meta.dirname, 'reference', name), 'utf8');

/**
 * The API reference as one self-contained HTML page: the document, Swagger UI, a table of contents and a sign-in form.
 * The page contains no secrets. After sign-in, readers use their own permissions.
 */
export function referencePage(document: OpenApiDocument): string {
  const { title, version, summary } = document.info;
  const parts: Record<string, string> = {
    title: escapeHtml(title),
    version: escapeHtml(version),
    navigation: navigation(document),
  };
  const body = ownFile('page.html').replace(/\{\{(\w+)\}\}/g, (_, name: string) => parts[name] ?? '');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${escapeHtml(summary)}">
<title>${escapeHtml(title)} API reference</title>
<link rel="icon" href="data:,">
<!-- Swagger UI, Copyright 2020-2021 SmartBear Software Inc., licensed under the Apache License 2.0 -->
<style>${libraryFile('swagger-ui.css')}</style>
<style>${ownFile('page.css')}</style>
</head>
<body>
${body}
<script type="application/json" id="document">${inlineJson(document)}</script>
<script>${inlineScript(libraryFile('swagger-ui-bundle.js'))}</script>
<script type="module">${inlineScript(ownFile('page.js'))}</script>
</body>
</html>
`;
}

/** The table of contents: for each group, links to its operations in Swagger UI. */
function navigation({ tags, paths }: OpenApiDocument): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  return tags
    .map(({ name }) => {
      const items = operations.filter(({ operation }) => operation.tags.includes(name)).map(item);
      return `<li><span class="group">${escapeHtml(name)}</span><ul>${items.join('')}</ul></li>`;
    })
    .join('\n');
}

function item({
  path,
  method,
  operation,
}: {
  path: string;
  method: string;
  operation: ApiOperation;
}): string {
  const address = `#/${operation.tags.map(encodeURIComponent).join()}/${operation.operationId}`;
  const label = `<b class="method ${method}">${method}</b> ${escapeHtml(operation.summary)}`;
  return `<li><a href="${escapeHtml(address)}" title="${escapeHtml(path)}">${label}</a></li>`;
}

/** Escapes text for an element or an attribute in double quotes. */
const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/**
 * Escapes the source of a script for a script element. Only strings and regular expressions can contain text that would
 * end the element or start a comment. There, the escaped text has the same meaning.
 */
export const inlineScript = (source: string): string =>
  source.replaceAll('<!--', '\\x3c!--').replaceAll(/<(?=\/script)/gi, '\\x3c');

/** Escapes a value as JSON for a script element. */
export const inlineJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');
