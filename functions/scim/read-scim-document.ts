import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { discoveryDocument, discoveryDocuments } from '../../shared/provisioning/discovery.ts';
import { ScimDocument } from '../../shared/provisioning/schema.ts';
import { scimBase, scimTerms } from '../../shared/provisioning/scim-endpoint.ts';
import { object, oneOf } from '../../shared/schema.ts';

export default endpoint({
  ...scimTerms,
  method: 'GET',
  path: '/scim/v2/{document}',
  params: object({ document: oneOf(discoveryDocuments, { examples: ['Schemas'] }) }),
  response: ScimDocument,
  summary: 'Read what the SCIM server supports: its configuration, resource types or schemas',
  decide: ({ params, headers }) => ({ response: discoveryDocument(params.document, scimBase(headers)) }),
});
