import type { OpenApiDocument } from '../document.ts';
import type { Operation } from '../operation.ts';
import { escapeHtml } from './inline.ts';

/** The table of contents: a list of operations for each group, each a link that Swagger UI understands. */
export function navigation({ tags, paths }: OpenApiDocument): string {
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

function item({ path, method, operation }: { path: string; method: string; operation: Operation }): string {
  const address = `#/${operation.tags.map(encodeURIComponent).join()}/${operation.operationId}`;
  const label = `<b class="method ${method}">${method}</b> ${escapeHtml(operation.summary)}`;
  return `<li><a href="${escapeHtml(address)}" title="${escapeHtml(path)}">${label}</a></li>`;
}
