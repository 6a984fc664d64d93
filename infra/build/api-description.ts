import type { ApiDescription } from '../../shared/endpoints/endpoint.ts';
import { contentSecurityPolicy } from '../openapi/content-security-policy.ts';
import { openApiDocument } from '../openapi/document.ts';
import { partnerContract } from '../openapi/partner-contract.ts';
import { referencePages } from '../openapi/reference-page.ts';
import { archiveReference, compressDocument } from './compress-document.ts';
import type { EndpointFile } from './endpoints.ts';

/** The API documents that endpoints serve, generated from all contracts. Each document is generated on first use. */
export function describeApi(endpoints: EndpointFile[]): ApiDescription {
  const contracts = endpoints.map(({ name, endpoint }) => ({ name, contract: endpoint.contract }));
  const openapi = once(() => openApiDocument(contracts));
  const documents = {
    openapi: once(() => compressDocument(JSON.stringify(openapi()))),
    partnerContract: once(() => compressDocument(JSON.stringify(partnerContract()))),
    reference: once(() => {
      const pages = referencePages(openapi());
      const policy = contentSecurityPolicy(pages.shell.join(''));
      return archiveReference(pages, { 'content-security-policy': policy });
    }),
  };
  return {
    get openapi() {
      return documents.openapi();
    },
    get partnerContract() {
      return documents.partnerContract();
    },
    get reference() {
      return documents.reference();
    },
    routes: contracts.map(({ contract: { method, path } }) => ({ method, path })),
  };
}

function once<T>(create: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= create();
    return value;
  };
}
