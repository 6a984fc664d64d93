import { beforeAll, describe, expect, test } from 'vitest';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { type OpenApiDocument, openApiDocument } from '../../infra/openapi/document.ts';
import { html } from '../../infra/openapi/reference/html.ts';
import { referencePages } from '../../infra/openapi/reference-page.ts';
import type { ReferencePages } from '../../shared/endpoints/reference-pages.ts';

let document: OpenApiDocument;
let reference: ReferencePages;

beforeAll(async () => {
  const endpoints = await loadEndpoints();
  document = openApiDocument(endpoints.map(({ name, endpoint }) => ({ name, contract: endpoint.contract })));
  reference = referencePages(document);
});

const operations = () => Object.values(document.paths).flatMap((methods) => Object.values(methods));
const mainOf = (id: string) => reference.pages[id]?.main ?? expect.fail(`no page ${id}`);
/** Returns the text without tags and escapes. */
const textOf = (markup: string) =>
  markup
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

describe('the reference', () => {
  test('no page loads other resources', () => {
    const markup = [...reference.shell, ...Object.values(reference.pages).map(({ main }) => main)].join('');
    expect(markup).not.toMatch(/<(?:img|iframe|link (?!rel="icon"))|\ssrc=|@import|url\(/);
  });

  test('the table of contents and the start page link every chapter and every operation', () => {
    const [, navigation = ''] = /<ul id="chapters">([\s\S]*?)<\/nav>/.exec(reference.shell.join('')) ?? [];
    const chapters = [...(document.info.description ?? '').matchAll(/^## (.*)$/gm)].map(([, title]) => title);
    for (const place of [navigation, mainOf('')]) {
      const linked = [...place.matchAll(/href="docs\?operation=(\w+)"/g)].map(([, id = '']) => id);
      const ids = operations().map(({ operationId }) => operationId);
      expect(linked.filter((id) => ids.includes(id))).toEqual(ids);
      for (const chapter of chapters) expect(textOf(place)).toContain(chapter);
    }
  });

  test('every link leads to an existing page, and every fragment to a heading of the start page', () => {
    const ids = new Set([...mainOf('').matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const all = [...reference.shell, ...Object.values(reference.pages).map(({ main }) => main)].join('');
    for (const [, operation = '', heading = ''] of all.matchAll(
      /href="docs(?:\?operation=(\w+))?(?:#([^"]+))?"/g,
    )) {
      expect(reference.pages).toHaveProperty([operation]);
      if (heading) expect(ids).toContain(heading);
    }
  });

  test('an operation’s page contains its success response before its errors, with every error code', () => {
    for (const { operationId, responses } of operations()) {
      const text = textOf(mainOf(operationId));
      expect(text.indexOf('Response 20'), operationId).toBeLessThan(text.lastIndexOf('Errors'));
      for (const response of Object.values(responses)) {
        const found =
          '$ref' in response
            ? document.components.responses[response.$ref.split('/').at(-1) ?? '']
            : response;
        for (const code of Object.keys(found?.content?.['application/json']?.examples ?? {}))
          expect(text, operationId).toContain(code);
      }
    }
  });

  test('a field is shown with its type, limits, allowed values and nested fields', () => {
    const text = textOf(mainOf('createTicketRotation'));
    expect(text).toContain('userRotationArray array of objects');
    expect(text).toMatch(/weight integer.*1 to 10\./);
    expect(text).toContain('One of active, inactive.');
    expect(mainOf('createTicketRotation')).toContain('<details><summary>Fields</summary>');
  });

  test('a union is shown with the field that selects a variant, and the fields of each variant', () => {
    const bulk = textOf(mainOf('bulkTickets'));
    expect(bulk).toContain('The other fields depend on action.');
    expect(bulk).toMatch(/action: assign.*assignedTo.*action: change_status.*status string required/);
    expect(textOf(mainOf('readReadiness'))).toMatch(
      /depend on kind\. kind: request.*kind: fieldA field that a rule requires\..*kind: document/,
    );
  });

  test('a request is shown without read-only fields', () => {
    const [, body = ''] = /<h2>Body[\s\S]*?<h2>/.exec(mainOf('updateLead'))?.[0].split('<h2>') ?? [];
    expect(body).toContain('<code>firstName</code>');
    expect(body).not.toContain('<code>createdAt</code>');
  });

  test('a page can be written for a recursive schema', () => {
    const part = { type: 'object' as const, properties: { inner: { $ref: '#/components/schemas/Loop' } } };
    const looped = structuredClone(document);
    looped.components.schemas.Loop = part;
    looped.components.schemas.LeadInput = part;
    expect(textOf(referencePages(looped).pages.createLead?.main ?? '')).toContain('inner');
  });

  test('texts of the document are escaped', () => {
    const hostile = '</script><script>alert(1)</script><!--<script>"$&';
    const { shell, pages } = referencePages({
      ...document,
      info: { ...document.info, title: hostile, summary: hostile, description: hostile },
    });
    const text = [...shell, pages['']?.title, pages['']?.main].join('');
    expect(text.includes('<script>alert(1)')).toBe(false);
  });
});

test('a template escapes texts, joins lists and omits false and undefined', () => {
  expect(html`<p>${['<b>', html`<i>${'"&"'}</i>`, false, undefined, 0]}</p>`.text).toBe(
    '<p>&lt;b&gt;<i>&quot;&amp;&quot;</i>0</p>',
  );
});
