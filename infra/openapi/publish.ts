import '../quiet-sdk.ts';
import { loadEndpoints } from '../build/endpoints.ts';
import { incompatibleMessage, publishedOf, unannouncedChanges } from './compatibility.ts';
import { openApiDocument } from './document.ts';
import { readPublished, writePublished } from './published-file.ts';

/** `npm run openapi:publish`: stores the current document. Later documents must be compatible with this document. */
const contracts = (await loadEndpoints()).map(({ name, endpoint }) => ({
  name,
  contract: endpoint.contract,
}));
const document = publishedOf(openApiDocument(contracts));
const changes = unannouncedChanges(readPublished(), document);
if (changes.length > 0) {
  console.error(incompatibleMessage(changes));
  process.exitCode = 1;
} else {
  writePublished(document);
  console.log(`Published version ${document.info.version}.`);
}
