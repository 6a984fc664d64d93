import type { ApiDescription } from '../../shared/http/endpoint.ts';
import { openApiDocument } from '../openapi/document.ts';
import { referencePage } from '../openapi/reference-page.ts';
import type { EndpointFile } from './endpoints.ts';

/** What is known of all contracts together, for the endpoints that tell it. */
export function describeApi(endpoints: EndpointFile[]): ApiDescription {
  const contracts = endpoints.map(({ name, endpoint }) => ({ name, contract: endpoint.contract }));
  const openapi = openApiDocument(contracts);
  return {
    openapi,
    referencePage: referencePage(openapi),
    routes: contracts.map(({ contract: { method, path } }) => ({ method, path })),
  };
}
