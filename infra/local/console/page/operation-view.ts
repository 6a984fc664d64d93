import { html, nothing, type TemplateResult } from 'lit-html';
import {
  type ApiDocument,
  type ApiPlace,
  addressOf,
  type DocumentedOperation,
  isFields,
  type JsonFields,
  pathAt,
  titleOf,
} from './api-document.ts';
import { type ApiResponse, request } from './caller.ts';
import { bodyIn, changedFields, inputsView, parametersIn } from './request-form.ts';
import { describedFile, fileIn, fileInput, uploadChosenFile } from './upload-file.ts';
import type { Content } from './value-view.ts';

/** The loaded record of a place. */
export interface Loaded {
  record?: JsonFields;
  /** The version of the record, for `If-Match`. */
  etag?: string;
}

interface Outcome {
  text: string;
  failed?: boolean;
  /** The body of the response. */
  shown?: unknown;
  created?: ApiPlace;
}

/** Shows the operations of a place as buttons and forms, and sends their requests. */
export function operationsView(
  api: ApiDocument,
  place: ApiPlace,
  { update, done }: { update: () => void; done: (operation: DocumentedOperation) => void },
) {
  const outcomes = new Map<string, Outcome>();
  let busy = false;

  async function run(
    operation: DocumentedOperation,
    loaded: Loaded,
    form: HTMLFormElement | undefined,
    isPreview: boolean,
  ) {
    const { operationId, summary } = operation;
    const name = titleOf(api.operationAt('GET', place.template), loaded.record ?? {});
    if (busy) return;
    if (!isPreview && operation['x-destructive'] && !confirm(`${summary}${name ? `: ${name}` : ''}?`)) return;
    busy = true;
    outcomes.clear();
    outcomes.set(operationId, { text: 'Please wait …' });
    update();
    try {
      const sent = await send(api, operation, place, loaded, form, isPreview);
      outcomes.set(operationId, outcomeOf(api, operation, place, sent, isPreview));
      if (!isPreview) {
        done(operation);
        if (operation.method === 'POST') form?.reset();
      }
    } catch (error) {
      outcomes.set(operationId, { text: (error as Error).message, failed: true });
      // The record can exist, although the upload of its file failed.
      if (operation['x-upload'] && !isPreview) done(operation);
    }
    busy = false;
    update();
  }

  return (operations: readonly DocumentedOperation[], loaded: Loaded): TemplateResult =>
    html`${destructiveLast(operations).map((operation) => {
      const parameters = parametersOf(operation, place);
      const outcome = outcomeView(outcomes.get(operation.operationId));
      const preview = operation.inputs.some(({ name }) => name === 'dryRun');
      const start = (isPreview: boolean) => (event: Event) => {
        event.preventDefault();
        const { currentTarget: target } = event;
        const form = target instanceof HTMLFormElement ? target : (target as HTMLButtonElement).form;
        if (!isPreview || form?.reportValidity() !== false)
          run(operation, loaded, form ?? undefined, isPreview);
      };
      const previewButton = preview
        ? html`<button type="button" aria-label=${`Preview: ${operation.summary}`} @click=${start(true)}>Preview</button>`
        : nothing;
      if (parameters.length === 0 && !operation.body)
        return html`<div class="operation"><button type="button" class=${operation['x-destructive'] ? 'state-error' : ''} title=${methodAndPath(operation)} @click=${start(false)}>${operation.summary}</button> ${previewButton}${outcome}</div>`;
      return html`<details class="operation">
        <summary title=${methodAndPath(operation)}>${operation.summary}</summary>
        <form @submit=${start(false)}>
          ${inputsView(api, operation.operationId, parameters, { body: operation.body, current: currentOf(operation, loaded) })}
          ${operation['x-upload'] ? fileInput(operation) : nothing}
          <p class="pages"><button type="submit">${operation['x-upload'] ? 'Upload the file' : operation.summary}</button> ${previewButton}</p>
        </form>
        ${outcome}
      </details>`;
    })}`;
}

const destructiveLast = (operations: readonly DocumentedOperation[]): DocumentedOperation[] =>
  [true, false].flatMap((isSafe) => operations.filter((one) => isSafe !== (one['x-destructive'] === true)));

const methodAndPath = ({ method, path }: DocumentedOperation): string => `${method} ${path}`;

/** Parameters with the credentials of applicants. The console sends those of the chosen caller. */
const credentials = ['appKey', 'acctId'];

/** The parameters that a form contains: those of the query, and those of the path that the place does not have. */
const parametersOf = ({ inputs }: DocumentedOperation, { values }: ApiPlace) =>
  inputs.filter(
    ({ name, in: where }) =>
      (where === 'query' && name !== 'dryRun' && !credentials.includes(name)) ||
      (where === 'path' && !(name in values)),
  );

/** The values with which a form begins. A POST creates something new. */
const currentOf = ({ method }: DocumentedOperation, { record }: Loaded): JsonFields | undefined =>
  method === 'POST' ? undefined : record;

interface Sent {
  response: ApiResponse;
  created?: ApiPlace;
}

/** Sends the request of an operation. If the operation begins an upload, also uploads the chosen file. */
async function send(
  api: ApiDocument,
  operation: DocumentedOperation,
  { values }: ApiPlace,
  { record, etag }: Loaded,
  form: HTMLFormElement | undefined,
  isPreview: boolean,
): Promise<Sent> {
  const { method, path, body: schema, inputs, 'x-upload': upload } = operation;
  const entered = form ? parametersIn(form) : new Map<string, string>();
  const query = new URLSearchParams(isPreview ? { dryRun: 'true' } : {});
  for (const { name } of inputs.filter((one) => one.in === 'query'))
    if (entered.has(name)) query.append(name, entered.get(name) ?? '');
  const all = { ...values, ...Object.fromEntries(entered) };
  const target = pathAt({ template: path, values: all });
  let body = form && schema ? bodyIn(api, form, schema) : undefined;
  if (method === 'PATCH' && schema && isFields(body)) body = changedFields(api, schema, body, record ?? {});
  const file = upload && fileIn(form);
  if (file && isFields(body)) body = { ...body, ...(await describedFile(upload, file)) };
  const matches = etag !== undefined && inputs.some(({ name }) => name === 'If-Match');
  const response = await request(method, query.size > 0 ? `${target}?${query}` : target, {
    body,
    ...(matches && { headers: { 'If-Match': etag } }),
  });
  if (isPreview || !file || !isFields(response.body)) return { response };
  return uploadChosenFile(api, upload, { file, values: all }, { response, body: response.body });
}

function outcomeOf(
  api: ApiDocument,
  operation: DocumentedOperation,
  place: ApiPlace,
  { response: { body }, created: uploaded }: Sent,
  isPreview: boolean,
): Outcome {
  if (isPreview) return { text: 'Preview. Nothing was changed.', shown: body };
  const list = api.operationAt('GET', operation.path);
  const created =
    uploaded ?? (operation.method === 'POST' && isFields(body) ? api.recordIn(list, place, body) : undefined);
  return { text: 'Done.', shown: body, ...(created && { created }) };
}

/** The outcome of the last request. The paragraph is always present, so that screen readers announce its changes. */
const outcomeView = ({ text = '', failed = false, shown, created }: Partial<Outcome> = {}): Content => html`
  <p class=${failed ? 'outcome state-error' : 'outcome state-ok'} role="status">${text}${created ? html` <a href=${addressOf(created)}>Open the record</a>` : nothing}</p>
  ${isFields(shown) && Object.keys(shown).length > 0 ? html`<details><summary>Response</summary><pre tabindex="0" role="region" aria-label="Response"><code>${JSON.stringify(shown, null, 2)}</code></pre></details>` : nothing}`;
