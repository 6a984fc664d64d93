import { html, nothing, type TemplateResult } from 'lit-html';
import type { UploadHint } from '../../../openapi/uploads.ts';
import type { SignedUpload } from '../upload-endpoints.ts';
import { sendFile } from './api.ts';
import {
  type ApiDocument,
  type ApiPlace,
  type DocumentedOperation,
  type JsonFields,
  pathAt,
} from './api-document.ts';
import { type ApiResponse, request } from './caller.ts';

/** The input for the file of an upload, with the content types that the API accepts. */
export function fileInput({ operationId, fileTypes = [] }: DocumentedOperation): TemplateResult {
  const id = `${operationId}-file`;
  const hint = fileTypes.length > 0 ? `${id}-hint` : undefined;
  return html`<div class="inputs"><div>
    <label for=${id}>file <small>required</small></label>
    <input id=${id} name="file" type="file" required accept=${fileTypes.join() || nothing} aria-describedby=${hint ?? nothing}>
    ${hint ? html`<small id=${hint}>One of ${fileTypes.join(', ')}.</small>` : nothing}
  </div></div>`;
}

/** Returns the chosen file; undefined if the form has no input for a file, or if no file is chosen. */
export function fileIn(form: HTMLFormElement | undefined): File | undefined {
  const input = form?.elements.namedItem('file');
  return input instanceof HTMLInputElement ? input.files?.[0] : undefined;
}

/** Returns the fields of the body that describe a file. */
export async function describedFile({ file: fields }: UploadHint, file: File): Promise<JsonFields> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  const sha256 = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return {
    ...{ [fields.name]: file.name, [fields.size]: file.size, [fields.sha256]: sha256 },
    ...(fields.contentType !== undefined && file.type !== '' && { [fields.contentType]: file.type }),
  };
}

/**
 * Uploads a file with the signed request in the response of its operation, and completes the upload. Returns the last response,
 * and the place of the record with the file.
 */
export async function uploadChosenFile(
  api: ApiDocument,
  { request: field, complete, id }: UploadHint,
  { file, values }: { file: File; values: ApiPlace['values'] },
  begun: { response: ApiResponse; body: JsonFields },
): Promise<{ response: ApiResponse; created?: ApiPlace }> {
  const [, parameter = ''] = /\{(\w+)\}[^{]*$/.exec(complete) ?? [];
  const uploaded = { template: complete, values: { ...values, [parameter]: String(begun.body[id]) } };
  const record = api.placeAbove(complete);
  const created = record === undefined ? undefined : { ...uploaded, template: record };
  const signed = begun.body[field] as SignedUpload | undefined;
  // The service has the file already.
  if (!signed) return { response: begun.response, created };
  try {
    await sendFile(signed, file);
    return { response: await request('POST', pathAt(uploaded), { body: {} }), created };
  } catch (error) {
    throw new Error(`The record was created, but its file was not uploaded. ${(error as Error).message}`);
  }
}
