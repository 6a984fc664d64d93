import type { OpenAPIV3_1 } from 'openapi-types';
import type { OpenApiDocument } from '../document.ts';
import type { JsonSchema } from '../schemas.ts';
import { type Html, html } from './html.ts';
import { inlineMarkdown } from './markdown.ts';

type Schema = OpenAPIV3_1.SchemaObject;

/** The fields of a request exclude read-only fields. */
type Direction = 'request' | 'response';

export interface Field {
  name: string;
  schema: JsonSchema;
  required: boolean;
  description?: string;
}

/** If the value is a `$ref`, returns the component to which it refers. Returns other values unchanged. */
export function resolve<T extends object>(
  document: OpenApiDocument,
  value: T | OpenAPIV3_1.ReferenceObject,
): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T;
  const [, kind, name] = /^#\/components\/(\w+)\/([\w.-]+)$/.exec(value.$ref) ?? [];
  const components: Record<string, Record<string, object>> = document.components;
  const found = components[kind ?? '']?.[name ?? ''];
  if (!found) throw new Error(`The document has no component ${value.$ref}.`);
  return found as T;
}

/** A longer list of allowed values is collapsed. */
const mostShown = 15;

/** Renders fields as nested lists. The fields of an inner object, of array items and of a variant are collapsed. */
export function fieldLists(document: OpenApiDocument, direction: Direction) {
  const resolved = (schema: JsonSchema): Schema => resolve<Schema>(document, schema);

  /** The fields of a body. If a body is not an object, returns one field without a name. */
  function ofBody(schema: JsonSchema): Html {
    const own = fieldsOf(resolved(schema));
    return own.length > 0 ? list(own, []) : list([{ name: '', schema, required: true }], []);
  }

  const list = (fields: readonly Field[], path: readonly object[]): Html =>
    html`<ul class="fields">${fields.map((field) => item(field, path))}</ul>`;

  /**
   * `path` lists the schemas of the enclosing objects. A recursive schema is in its own path and is not shown
   * again.
   */
  function item({ name, schema: declared, required, description }: Field, path: readonly object[]): Html {
    const schema = resolved(declared);
    const text = description ?? ('description' in declared ? declared.description : schema.description);
    return html`<li><p class="field">${name && html`<code>${name}</code> `}<span class="type">${typeOf(declared)}</span>${
      required && direction === 'request' && name && html` <span class="required">required</span>`
    }</p>${text && html`<p>${inlineMarkdown(text)}</p>`}${rules({ ...schema, ...declared })}${inner(declared, path)}</li>`;
  }

  function inner(declared: JsonSchema, path: readonly object[]): Html | undefined {
    const schema = resolved(declared);
    const variants = variantsOf(schema);
    if (variants.length > 1)
      return html`${variants.map((variant) => details(titleOf(variant), variant, path, resolved(variant).description))}`;
    const [only] = variants;
    if (only) return inner(only, path);
    if (isArray(schema)) return inner(schema.items, path);
    if (isMap(schema)) return inner(schema.additionalProperties, path);
    return details('Fields', schema, path);
  }

  function details(
    title: string,
    declared: JsonSchema,
    path: readonly object[],
    text?: string,
  ): Html | undefined {
    const schema = resolved(declared);
    const fields = fieldsOf(schema);
    if (fields.length === 0 || path.includes(schema)) return undefined;
    return html`<details><summary>${title}</summary>${text && html`<p>${inlineMarkdown(text)}</p>`}${list(fields, [...path, schema])}</details>`;
  }

  function fieldsOf({ properties = {}, required = [] }: Schema): Field[] {
    return Object.entries(properties)
      .filter(([, schema]) => direction === 'response' || !isReadOnly(schema))
      .map(([name, schema]) => ({ name, schema, required: required.includes(name) }));
  }

  const isReadOnly = (schema: JsonSchema): boolean =>
    ('readOnly' in schema && schema.readOnly === true) || resolved(schema).readOnly === true;

  /** For example `array of strings or null`. */
  function typeOf(declared: JsonSchema, plural = ''): string {
    const schema = resolved(declared);
    const variants = variantsOf(schema);
    if (variants.length > 0) {
      const names = [...new Set(variants.map((variant) => typeOf(variant, plural)))];
      return [...names, ...(acceptsNull(schema) ? ['null'] : [])].join(' or ');
    }
    if (isArray(schema)) return `array${plural} of ${typeOf(schema.items, 's')}`;
    if (isMap(schema)) return `map${plural} of ${typeOf(schema.additionalProperties, 's')}`;
    const types = [schema.type ?? typeof (schema.const ?? schema.enum?.[0] ?? 'any')].flat();
    const format = schema.format ? ` (${schema.format})` : '';
    return types.map((type) => (type === 'null' ? type : `${type}${plural}${format}`)).join(' or ');
  }

  /** The alternatives of `oneOf` and `anyOf`, except null. */
  function variantsOf({ oneOf, anyOf }: Schema): JsonSchema[] {
    return (oneOf ?? anyOf ?? []).filter((variant) => resolved(variant).type !== 'null');
  }

  const acceptsNull = ({ oneOf, anyOf }: Schema): boolean =>
    (oneOf ?? anyOf ?? []).some((variant) => resolved(variant).type === 'null');

  /** The title of a variant, the constant that distinguishes it from others, or the name of its component. */
  function titleOf(variant: JsonSchema): string {
    const { title, properties = {} } = resolved(variant);
    const constants = Object.entries(properties).flatMap(([name, schema]) => {
      const { const: value } = resolved(schema);
      return value === undefined ? [] : [`${name}: ${value}`];
    });
    return (
      title ?? constants[0] ?? ('$ref' in variant ? variant.$ref.split('/').at(-1) : 'Fields') ?? 'Fields'
    );
  }

  /** The limits, the allowed values, the default and an example of a field. */
  function rules(schema: Schema): Html {
    const { items, variants } = {
      items: isArray(schema) ? resolved(schema.items) : undefined,
      variants: variantsOf(schema).map(resolved),
    };
    const allowed = schema.enum ?? items?.enum ?? variants.flatMap((variant) => variant.enum ?? []);
    const discriminator = schema.discriminator ?? items?.discriminator;
    const example = schema.examples?.[0];
    const parts = [
      discriminator && html`The other fields depend on ${codes([discriminator.propertyName])}.`,
      allowed.length > 0 && allowed.length <= mostShown && html`One of ${codes(allowed)}.`,
      schema.const !== undefined && html`Always ${codes([schema.const])}.`,
      schema.default !== undefined && html`Default: ${codes([schema.default])}.`,
      range(schema.minLength, schema.maxLength, 'characters'),
      range(schema.minimum, schema.maximum, ''),
      range(schema.minItems, schema.maxItems, 'entries'),
      schema.uniqueItems && html`No duplicates.`,
      // Omits long patterns, such as the patterns of comma-separated lists: the description of such a field
      // already contains the rule.
      schema.pattern !== undefined &&
        schema.pattern.length < 80 &&
        html`Pattern: ${codes([schema.pattern])}.`,
      example !== undefined &&
        typeof example !== 'object' &&
        allowed.length === 0 &&
        html`Example: ${codes([example])}.`,
    ].filter((part) => part !== false && part !== undefined);
    return html`${parts.length > 0 && html`<p class="rules">${parts.map((part) => html`${part} `)}</p>`}${
      allowed.length > mostShown &&
      html`<details><summary>One of ${allowed.length} values</summary><p class="rules">${codes(allowed)}</p></details>`
    }`;
  }

  return { ofBody, ofFields: (fields: readonly Field[]) => list(fields, []) };
}

const isArray = (schema: Schema): schema is OpenAPIV3_1.ArraySchemaObject =>
  'items' in schema && typeof schema.items === 'object';

const isMap = (schema: Schema): schema is Schema & { additionalProperties: JsonSchema } =>
  typeof schema.additionalProperties === 'object' && schema.properties === undefined;

const codes = (values: readonly unknown[]): Html =>
  html`${values.map((value, index) => html`${index > 0 && ', '}<code>${show(value)}</code>`)}`;

const show = (value: unknown): string => (typeof value === 'string' ? value || '""' : JSON.stringify(value));

function range(least: number | undefined, most: number | undefined, unit: string): Html | undefined {
  const end = unit && ` ${unit}`;
  if (least !== undefined && most !== undefined)
    return least === most ? html`Exactly ${least}${end}.` : html`${least} to ${most}${end}.`;
  if (most !== undefined) return html`At most ${most}${end}.`;
  if (least !== undefined) return html`At least ${least}${end}.`;
  return undefined;
}
