import { beforeAll, describe, expect, test } from 'vitest';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { type OpenApiDocument, openApiDocument } from '../../infra/openapi/document.ts';
import { inlineJson, inlineScript, referencePage } from '../../infra/openapi/reference-page.ts';

let document: OpenApiDocument;
let page: string;

beforeAll(async () => {
  const endpoints = await loadEndpoints();
  document = openApiDocument(endpoints.map(({ name, endpoint }) => ({ name, contract: endpoint.contract })));
  page = referencePage(document);
});

/** Returns the page without the content of scripts and styles. */
const markup = () => page.replaceAll(/<(script|style)\b[^>]*>[\s\S]*?<\/\1>/g, '');

describe('the reference page', () => {
  test('the reference page does not load other resources', () => {
    const addresses = [...markup().matchAll(/\b(?:src|href|action)="([^"]*)"/g)].map(
      ([, address = '']) => address,
    );
    expect(addresses.filter((address) => !/^(#|data:)/.test(address))).toEqual([]);
  });

  test('the reference page has a table of contents that lists every operation by group', () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const linked = [...markup().matchAll(/href="(#\/[^"]*)"/g)].map(([, address = '']) =>
      decodeURIComponent(address),
    );
    expect(linked).toEqual(operations.map(({ tags, operationId }) => `#/${tags.join()}/${operationId}`));
  });

  test('the reference page contains the unchanged OpenAPI document', () => {
    const [, text = ''] =
      /<script type="application\/json" id="document">([\s\S]*?)<\/script>/.exec(page) ?? [];
    expect(JSON.parse(text)).toEqual(document);
  });

  test('the reference page escapes texts of the OpenAPI document', () => {
    const hostile = '</script><script>alert(1)</script><!--<script>"$&';
    const title = referencePage({
      ...document,
      info: { ...document.info, title: hostile, description: hostile },
    });
    expect(title).not.toContain('<script>alert(1)');
  });
});

test('inlined scripts and data keep their meaning and cannot end the HTML element', () => {
  const source = `[ '</script>', '</SCRIPT', '<!-- <script>', /<\\/script/.source, 1 < 2 ]`;
  const inlined = inlineScript(source);
  expect(inlined).not.toMatch(/<\/script|<!--/i);
  expect(new Function(`return ${inlined}`)()).toEqual(new Function(`return ${source}`)());
  expect(JSON.parse(inlineJson({ a: '</script><!--' }))).toEqual({ a: '</script><!--' });
});
