import { recordId, string } from '../../schema.ts';

/** The fields of a record that a key sent through the external API. Only the account's staff can read them. */
export const externalOrigin = {
  externalKeyId: recordId({
    readOnly: true,
    description: 'The API key that sent the record through the external API.',
  }),
  externalId: string({
    readOnly: true,
    description: 'The id under which the key sent the record.',
    examples: ['L-1001'],
  }),
};
