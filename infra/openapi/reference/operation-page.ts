import { STATUS_CODES } from 'node:http';
import type { OpenAPIV3_1 } from 'openapi-types';
import type { OpenApiDocument } from '../document.ts';
import { exampleOf } from '../example.ts';
import type { ApiOperation } from '../operation.ts';
import { type Field, fieldLists, resolve } from './fields.ts';
import { type Html, html } from './html.ts';
import { inlineMarkdown, markdown, slugOf } from './markdown.ts';
import { languages, requestSamples, type SampleRequest } from './request-samples.ts';

type Parameter = OpenAPIV3_1.ParameterObject;
type Response = OpenAPIV3_1.ResponseObject;

export interface PlacedOperation {
  method: string;
  path: string;
  operation: ApiOperation;
}

/** The operations of the document, in its order. */
export const operationsOf = ({ paths }: OpenApiDocument): PlacedOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );

/** The main part of an operation's page: its fields, and next to them the request, the response and a form. */
export function operationPage(document: OpenApiDocument, placed: PlacedOperation): Html {
  const { method, path, operation } = placed;
  const parameters = parametersOf(document, operation);
  const body = bodyOf(document, operation);
  const inputs = fieldLists(document, 'request');
  const group = operation.tags[0] ?? '';
  return html`<article class="operation">
<p class="crumb"><a href="docs">Reference</a> / <a href="docs#${slugOf(group)}">${group}</a></p>
<h1>${operation.summary}</h1>
<p class="endpoint"><b class="method ${method}">${method}</b> <code>${path}</code></p>
<div class="guide">${operation.description !== undefined && markdown(operation.description)}</div>
<div class="panes">
<div class="code">
${samples(requestOf(document, placed))}
${successExample(document, operation)}
${form(placed, parameters, body?.example)}
</div>
<div class="text">
${(['path', 'query', 'header'] as const).map((place) => {
  const fields = parameters.filter((parameter) => parameter.in === place).map(fieldOf);
  return fields.length > 0 && html`<h2>${titles[place]}</h2>${inputs.ofFields(fields)}`;
})}
${body && html`<h2>Body${!body.required && html` <small>optional</small>`}</h2>${inputs.ofBody(body.schema)}`}
${success(document, operation)}
${errors(document, operation)}
</div>
</div>
</article>`;
}

/** The main part of the page about the deliveries of one event kind. */
export function deliveryPage(document: OpenApiDocument, kind: string): Html {
  const operation = document.webhooks[kind]?.post;
  const { schema, example } = contentOf(operation?.requestBody) ?? {};
  return html`<article class="operation">
<p class="crumb"><a href="docs">Reference</a> / <a href="docs#webhook-events">Webhook events</a></p>
<h1>${operation?.summary?.replace(/\.$/, '') ?? kind}</h1>
<p class="endpoint"><code>${kind}</code></p>
<div class="panes">
<div class="code">${block('Example', json(example))}</div>
<div class="text"><h2>Body of the delivery</h2>${schema && fieldLists(document, 'response').ofBody(schema)}</div>
</div>
</article>`;
}

const titles = { path: 'Path', query: 'Query', header: 'Headers' } as const;

const parametersOf = (document: OpenApiDocument, { parameters = [] }: ApiOperation): Parameter[] =>
  parameters.map((parameter) => resolve<Parameter>(document, parameter));

const fieldOf = ({ name, schema = {}, required = false, description }: Parameter): Field => ({
  name,
  schema,
  required,
  ...(description !== undefined && { description }),
});

interface Content {
  schema?: OpenAPIV3_1.SchemaObject | OpenAPIV3_1.ReferenceObject;
  example?: unknown;
}

const contentOf = (carrier: object | undefined): Content | undefined =>
  (carrier as { content?: Record<string, Content> } | undefined)?.content?.['application/json'];

function bodyOf(document: OpenApiDocument, { requestBody }: ApiOperation) {
  const schema = contentOf(requestBody)?.schema;
  if (!schema) return undefined;
  const required = requestBody !== undefined && 'required' in requestBody && requestBody.required === true;
  const { examples = [] } = resolve<OpenAPIV3_1.SchemaObject>(document, schema);
  return { schema, required, example: examples[0] };
}

/** A request with the required parameters and the example body. */
function requestOf(document: OpenApiDocument, { method, path, operation }: PlacedOperation): SampleRequest {
  const parameters = parametersOf(document, operation);
  const valuesIn = (place: string) =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === place && parameter.required)
        .map(({ name, example, schema = {} }) => [
          name,
          example ?? exampleOf(resolve<OpenAPIV3_1.SchemaObject>(document, schema), 'request'),
        ]),
    );
  const accepts = (scheme: string) => (operation.security ?? []).some((requirement) => scheme in requirement);
  return {
    method: method.toUpperCase(),
    path,
    parameters: { path: valuesIn('path'), query: valuesIn('query') },
    credentials: accepts('apiKey') ? 'key' : accepts('sessionToken') ? 'token' : 'public',
    body: bodyOf(document, operation)?.example,
  };
}

/** The sample request of each operation of the document, by operation id. */
export const sampleRequests = (document: OpenApiDocument): Map<string, SampleRequest> =>
  new Map(
    operationsOf(document).map((placed) => [placed.operation.operationId, requestOf(document, placed)]),
  );

/** The samples in all languages. CSS shows the sample of the selected language, so the page needs no script. */
function samples(request: SampleRequest): Html {
  const texts = requestSamples(request);
  return html`<section class="samples">
<fieldset><legend>Request</legend>${languages.map(
    ([id, name], index) =>
      html`<label><input type="radio" name="language" value="${id}"${index === 0 && html` checked`}>${name}</label>`,
  )}<button type="button" class="copy" hidden>Copy</button></fieldset>
${languages.map(
  ([id, name]) =>
    html`<pre data-language="${id}" tabindex="0" role="region" aria-label="${name}">${code(texts[id])}</pre>`,
)}
</section>`;
}

/** Marks the strings in double quotes, except the names of fields. */
function code(text: string): Html {
  const parts = text.split(/("(?:[^"\\\n]|\\.)*")/);
  const isValue = (index: number) => index % 2 === 1 && !parts[index + 1]?.startsWith(':');
  return html`<code>${parts.map((part, index) => (isValue(index) ? html`<i>${part}</i>` : part))}</code>`;
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);

const block = (title: string, text: string): Html =>
  html`<section><h2>${title}</h2><pre tabindex="0" role="region" aria-label="${title}">${code(text)}</pre></section>`;

/** The successful response: the first status below 300. */
function successOf(document: OpenApiDocument, { responses }: ApiOperation) {
  const [status = '', response = {}] = Object.entries(responses).find(([code]) => code < '300') ?? [];
  const { schema, example } = contentOf(resolve<object>(document, response)) ?? {};
  const { examples = [] } = schema ? resolve<OpenAPIV3_1.SchemaObject>(document, schema) : {};
  return { status, schema, example: example ?? examples[0] };
}

function success(document: OpenApiDocument, operation: ApiOperation): Html | undefined {
  const { status, schema } = successOf(document, operation);
  if (!schema) return undefined;
  return html`<h2>Response <small>${status}</small></h2>${fieldLists(document, 'response').ofBody(schema)}`;
}

function successExample(document: OpenApiDocument, operation: ApiOperation): Html | undefined {
  const { status, example } = successOf(document, operation);
  return example === undefined
    ? undefined
    : block(`Response ${status} ${STATUS_CODES[status] ?? ''}`.trim(), json(example));
}

function errors(document: OpenApiDocument, { responses }: ApiOperation): Html {
  const rows = Object.entries(responses)
    .filter(([status]) => status >= '400')
    .flatMap(([status, response]) => {
      const { content = {} } = resolve<Response>(document, response);
      return Object.entries(content['application/json']?.examples ?? {}).map(([code, example]) => {
        const { value } = resolve<OpenAPIV3_1.ExampleObject>(document, example);
        return html`<tr><td>${status}</td><td><code>${code}</code></td><td>${inlineMarkdown(value?.message ?? '')}</td></tr>`;
      });
    });
  return html`<h2>Errors</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Errors"><table><thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** A form that sends the request. It is hidden until the page's script runs. */
function form({ method, path }: PlacedOperation, parameters: Parameter[], example: unknown): Html {
  return html`<details class="try" hidden><summary>Try it</summary>
<form data-method="${method}" data-path="${path}">
${parameters.map(
  (parameter) =>
    html`<label><span><code>${parameter.name}</code> ${parameter.in}</span>${control(parameter)}</label>`,
)}
${example !== undefined && html`<label><span>Body</span><textarea name="body" rows="10" spellcheck="false">${json(example)}</textarea></label>`}
<button type="submit">Send</button>
<p class="status" role="status"></p>
<pre class="answer" tabindex="0" role="region" aria-label="Response" hidden><code></code></pre>
</form></details>`;
}

function control({ name, in: place, schema = {}, required, example }: Parameter): Html {
  const attributes = html`name="${name}" data-in="${place}"${required && html` required`}`;
  const { type, items, ...rules } = schema as OpenAPIV3_1.SchemaObject & { items?: object };
  const choices = rules.enum ?? (type === 'boolean' ? [true, false] : []);
  if (choices.length > 0)
    return html`<select ${attributes}><option></option>${choices.map((value) => html`<option>${String(value)}</option>`)}</select>`;
  return html`<input ${attributes} autocomplete="off" spellcheck="false"${
    items !== undefined && html` data-list placeholder="values, separated by commas"`
  }${example !== undefined && html` value="${String(example)}"`}>`;
}
