import { html, nothing, type TemplateResult } from 'lit-html';
import {
  type ApiDocument,
  addressOf,
  type DocumentedSchema,
  isFields,
  type JsonFields,
  titleOf,
} from './api-document.ts';
import { dataTable } from './data-table.ts';
import { momentOf } from './format.ts';

export type Content = TemplateResult | typeof nothing | string | number;

/** Shows a value of a response. `name` is the name of its field, which decides whether the value refers to a record. */
function valueView(api: ApiDocument, name: string, value: unknown, schema: DocumentedSchema = {}): Content {
  const { type, format, items, ...rest } = api.resolved(schema);
  if (isEmpty(value)) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return listView(api, name, value, items);
  if (isFields(value)) return fieldsView(api, value, { type, ...rest });
  const place = api.referenceOf(name, value);
  if (place) return html`<a href=${addressOf(place)}>${value}</a>`;
  const text = String(value);
  if (format === 'date-time') return html`<span class="time">${momentOf(text)}</span>`;
  if (format === 'uri' && /^https?:/.test(text)) return html`<a href=${text} rel="noreferrer">${text}</a>`;
  return text.includes('\n') ? html`<span class="wrapped">${text}</span>` : text;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Shows the fields of an object that have a value, in the order of its schema. */
export function fieldsView(api: ApiDocument, fields: JsonFields, schema: DocumentedSchema = {}): Content {
  const { properties = {} } = api.resolved(schema);
  const names = [...new Set([...Object.keys(properties), ...Object.keys(fields)])];
  const shown = names.filter((name) => !isEmpty(fields[name]));
  return html`<dl class="pairs">${shown.map(
    (name) =>
      html`<dt>${name}</dt><dd>${valueView(api, name, fields[name], properties[name])}${unitView(api, properties[name])}</dd>`,
  )}</dl>`;
}

/** The unit of a number, from the sentence of its description that names it, such as “In bytes.” */
function unitView(api: ApiDocument, schema: DocumentedSchema = {}): Content {
  const { type, description = '' } = api.resolved(schema);
  const [, unit] = /(?:^|\. )In ([^.:]+)[.:]/.exec(description) ?? [];
  return [type].flat().includes('integer') && unit !== undefined
    ? html` <span class="note">(${unit})</span>`
    : nothing;
}

function listView(api: ApiDocument, name: string, list: unknown[], items: DocumentedSchema = {}): Content {
  const rows = list.filter(isFields);
  if (rows.length === 0)
    return html`${list.map((value, n) => html`${n > 0 ? ', ' : nothing}${valueView(api, name, value, items)}`)}`;
  return html`<details><summary>${rows.length} ${name}</summary>${rowsView(api, name, rows, items)}</details>`;
}

/** Shows each object of a list. A list of the search results of `/search` links to their records. */
function rowsView(api: ApiDocument, name: string, rows: JsonFields[], schema: DocumentedSchema): Content {
  const list = api.operationAt('GET', `/${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  return html`<ol class="plain-list">${rows.map((row) => {
    const place = api.recordIn(list, { template: '', values: {} }, row);
    return html`<li>${place ? html`<a href=${addressOf(place)}>${titleOf(list, row) || 'Open'}</a>` : nothing}${fieldsView(api, row, schema)}</li>`;
  })}</ol>`;
}

/** JsonFields that all records have, and that therefore describe no record in a list. */
const unspecific = ['id', 'accountId', 'version', 'createdBy', 'updatedBy', 'updatedAt', 'uniqueId'];
const mostColumns = 6;

/**
 * A table of records. Shows the fields that have values, those with a fixed set of values first. `linkOf` returns the
 * first cell of a row.
 */
export function recordTable(
  api: ApiDocument,
  name: string,
  { rows, schema, titles }: { rows: JsonFields[]; schema: DocumentedSchema; titles: readonly string[] },
  linkOf: (row: JsonFields) => Content,
): TemplateResult {
  const { properties = {} } = api.resolved(schema);
  const isChoice = (field: string) => (api.resolved(properties[field] ?? {}).enum ? 0 : 1);
  const columns = [...new Set([...Object.keys(properties), ...rows.flatMap((row) => Object.keys(row))])]
    .filter((field) => !unspecific.includes(field) && !titles.includes(field))
    .filter((field) => rows.some((row) => !isEmpty(row[field]) && typeof row[field] !== 'object'))
    .sort((one, other) => isChoice(one) - isChoice(other))
    .slice(0, mostColumns);
  return dataTable(
    name,
    [
      titles.join(', ') || 'Record',
      ...columns.map((field) => html`${field}${unitView(api, properties[field])}`),
    ],
    rows.map((row) => [
      linkOf(row),
      ...columns.map((field) => shortened(valueView(api, field, row[field], properties[field]))),
    ]),
  );
}

const shortened = (content: Content): Content =>
  typeof content === 'string' && content.length > 80 ? `${content.slice(0, 80)}…` : content;
