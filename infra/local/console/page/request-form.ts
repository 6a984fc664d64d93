import { html, nothing, type TemplateResult } from 'lit-html';
import {
  type ApiDocument,
  type DocumentedSchema,
  isFields,
  type JsonFields,
  type Parameter,
} from './api-document.ts';

/** A field of a form. `path` is its place in the body, such as `basics.dbaName`, or the name of a parameter. */
interface Field {
  path: string;
  name: string;
  schema: DocumentedSchema;
  required?: boolean;
  description?: string;
}

type Kind = 'fields' | 'choice' | 'choices' | 'boolean' | 'number' | 'lines' | 'multiline' | 'text' | 'json';

/** A list of at most this many values is shown as checkboxes. */
const mostCheckboxes = 40;

function kindOf(api: ApiDocument, schema: DocumentedSchema): Kind {
  const { enum: values, properties, items, type, oneOf, 'x-text': text } = schema;
  const types = [type ?? []].flat().filter((one) => one !== 'null');
  if (values) return 'choice';
  if (properties && !oneOf) return 'fields';
  if (types.length !== 1) return 'json';
  if (items) {
    const { enum: choices, type: element } = api.resolved(items);
    if (choices && choices.length <= mostCheckboxes) return 'choices';
    return element === 'string' || element === 'integer' ? 'lines' : 'json';
  }
  if (types[0] === 'boolean') return 'boolean';
  if (types[0] === 'integer' || types[0] === 'number') return 'number';
  if (types[0] === 'string') return text === 'multiline' ? 'multiline' : 'text';
  return 'json';
}

/** The fields of a body that a request can set. A body that is no object has one field, which contains JSON. */
function fieldsIn(api: ApiDocument, body: DocumentedSchema, prefix: string): Field[] {
  const { properties = {}, required = [] } = api.resolved(body);
  return Object.entries(properties).flatMap(([name, given]) => {
    const schema = api.resolved(given);
    if (schema.readOnly) return [];
    return [{ path: `${prefix}${name}`, name, schema, required: required.includes(name) }];
  });
}

/** The inputs of a request: parameters, and the fields of its body. Both start with their current values. */
export function inputsView(
  api: ApiDocument,
  form: string,
  parameters: readonly Parameter[],
  {
    body,
    current = {},
    values = {},
  }: { body?: DocumentedSchema; current?: JsonFields; values?: Record<string, string[]> },
): TemplateResult {
  return html`<div class="inputs">
    ${parameters.map(({ name, schema: given, required, description }) => {
      const schema = parameterSchema(api, given);
      const list = values[name]?.map((text) => (text === 'true' ? true : text === 'false' ? false : text));
      const value = schema.items ? list : list?.[0];
      return inputView(api, form, { path: `?${name}`, name, schema, required, description }, value);
    })}
    ${body ? bodyView(api, form, body, current) : nothing}
  </div>`;
}

/** A filter has one value, although the API accepts a list, unless its values are checkboxes. */
function parameterSchema(api: ApiDocument, given: DocumentedSchema): DocumentedSchema {
  const schema = api.resolved(given);
  return schema.items && kindOf(api, schema) !== 'choices' ? api.resolved(schema.items) : schema;
}

function bodyView(
  api: ApiDocument,
  form: string,
  body: DocumentedSchema,
  current: JsonFields,
): TemplateResult {
  const schema = api.resolved(body);
  if (kindOf(api, schema) !== 'fields')
    return inputView(api, form, { path: 'body', name: 'body', schema, required: true }, schema.examples?.[0]);
  return html`${fieldsIn(api, body, 'body.').map((field) => inputView(api, form, field, current[field.name]))}`;
}

/** An input with its label and its description. */
function inputView(api: ApiDocument, form: string, field: Field, value: unknown): TemplateResult {
  const { path, name, schema, required = false, description = schema.description } = field;
  const id = `${form}-${path}`;
  const kind = kindOf(api, schema);
  if (kind === 'fields')
    return html`<details class="wide"><summary>${name}</summary><div class="inputs">${fieldsIn(
      api,
      schema,
      `${path}.`,
    ).map((inner) =>
      inputView(api, form, { ...inner, required: false }, isFields(value) ? value[inner.name] : undefined),
    )}</div></details>`;
  if (kind === 'choices')
    return html`<fieldset class="choices wide"><legend>${name}</legend>${(
      api.resolved(schema.items ?? {}).enum ?? []
    ).map(
      (one) =>
        html`<label><input type="checkbox" name=${path} value=${String(one)} ?checked=${Array.isArray(value) && value.includes(one)}> ${one}</label>`,
    )}</fieldset>`;
  const isLong = kind === 'json' || kind === 'lines' || kind === 'multiline';
  const hint = [
    description,
    kind === 'json' ? 'JSON.' : '',
    kind === 'lines' ? 'One value in each line.' : '',
  ].filter(Boolean);
  return html`<div class=${isLong ? 'wide' : ''}>
    <label for=${id}>${name}${required ? html` <small>required</small>` : nothing}</label>
    ${controlOf(kind, { id, path, required, schema, hint: hint.length > 0 ? `${id}-hint` : undefined }, value)}
    ${hint.length > 0 ? html`<small id=${`${id}-hint`}>${hint.join(' ')}</small>` : nothing}
  </div>`;
}

interface Control {
  id: string;
  path: string;
  required: boolean;
  schema: DocumentedSchema;
  hint?: string;
}

function controlOf(
  kind: Kind,
  { id, path, required, schema, hint }: Control,
  value: unknown,
): TemplateResult {
  const described = hint ?? nothing;
  if (kind === 'choice' || kind === 'boolean') {
    const options = kind === 'boolean' ? [true, false] : (schema.enum ?? []).filter((one) => one !== null);
    return html`<select id=${id} name=${path} ?required=${required} aria-describedby=${described}>
      <option value=""></option>
      ${options.map((one) => html`<option value=${String(one)} ?selected=${one === value}>${kind === 'boolean' ? (one ? 'yes' : 'no') : one}</option>`)}
    </select>`;
  }
  const text = textOf(kind, value);
  const example = kind === 'json' ? nothing : String(schema.examples?.[0] ?? '') || nothing;
  if (kind === 'json' || kind === 'lines' || kind === 'multiline')
    return html`<textarea id=${id} name=${path} rows=${kind === 'json' ? 6 : 3} ?required=${required} placeholder=${example} aria-describedby=${described} .value=${text}></textarea>`;
  return html`<input id=${id} name=${path} ?required=${required} placeholder=${example} inputmode=${kind === 'number' ? 'decimal' : nothing} autocomplete="off" aria-describedby=${described} value=${text}>`;
}

function textOf(kind: Kind, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (kind === 'json') return JSON.stringify(value, null, 2);
  return Array.isArray(value) ? value.join('\n') : String(value);
}

/** Returns the values of the parameters in a form, without empty ones. */
export const parametersIn = (form: HTMLFormElement): Map<string, string> =>
  new Map(
    [...new FormData(form)].flatMap(([path, value]): [string, string][] =>
      path.startsWith('?') && value !== '' ? [[path.slice(1), String(value)]] : [],
    ),
  );

/** Returns the body in a form, without empty fields. Throws an Error that names a field with invalid JSON. */
export function bodyIn(api: ApiDocument, form: HTMLFormElement, body: DocumentedSchema): unknown {
  const data = new FormData(form);
  const schema = api.resolved(body);
  if (kindOf(api, schema) !== 'fields') return json('body', String(data.get('body') ?? ''));
  return fieldsFrom(api, data, fieldsIn(api, body, 'body.'));
}

function fieldsFrom(api: ApiDocument, data: FormData, fields: readonly Field[]): JsonFields {
  const entries = fields.map(({ path, name, schema }) => [name, valueFrom(api, data, path, schema)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function valueFrom(api: ApiDocument, data: FormData, path: string, schema: DocumentedSchema): unknown {
  const kind = kindOf(api, schema);
  if (kind === 'fields') {
    const inner = fieldsFrom(api, data, fieldsIn(api, schema, `${path}.`));
    return Object.keys(inner).length > 0 ? inner : undefined;
  }
  if (kind === 'choices') return data.getAll(path);
  const text = String(data.get(path) ?? '');
  if (text === '') return undefined;
  if (kind === 'boolean') return text === 'true';
  if (kind === 'number') return Number.isNaN(Number(text)) ? text : Number(text);
  if (kind === 'json') return json(path, text);
  if (kind !== 'lines') return (schema.enum ?? []).find((one) => String(one) === text) ?? text;
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return api.resolved(schema.items ?? {}).type === 'integer' ? lines.map(Number) : lines;
}

function json(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${path} is not valid JSON.`);
  }
}

/**
 * Returns the fields of an entered body that differ from the current record. A field that was emptied is null, or an empty
 * text if its schema does not accept null.
 */
export function changedFields(
  api: ApiDocument,
  body: DocumentedSchema,
  entered: JsonFields,
  current: JsonFields,
): JsonFields {
  const changes = fieldsIn(api, body, '').flatMap(({ name, schema }): [string, unknown][] => {
    const [before, after] = [settable(api, schema, current[name]), entered[name]];
    if (JSON.stringify(before) === JSON.stringify(after)) return [];
    const isText = schema.type === 'string' && !schema.enum;
    return [[name, after === undefined ? (isText ? '' : null) : after]];
  });
  return Object.fromEntries(changes);
}

/** Returns the part of a value that a form can contain: without empty values and read-only fields. */
function settable(api: ApiDocument, schema: DocumentedSchema, value: unknown): unknown {
  const kind = kindOf(api, schema);
  if (kind === 'choices')
    return (api.resolved(schema.items ?? {}).enum ?? []).filter(
      (one) => Array.isArray(value) && value.includes(one),
    );
  if (value === null || value === '') return undefined;
  if (kind === 'lines' && Array.isArray(value) && value.length === 0) return undefined;
  if (kind !== 'fields' || !isFields(value)) return value;
  const entries = fieldsIn(api, schema, '').flatMap(({ name, schema: inner }): [string, unknown][] => {
    const kept = settable(api, inner, value[name]);
    return kept === undefined ? [] : [[name, kept]];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}
