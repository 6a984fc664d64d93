import { array, boolean, integer, nullable, optional, string, type TSchema } from '../schema.ts';

/** The query parameters that select a page of a list. */
export const pageParameters = {
  page: optional(integer({ minimum: 1, default: 1 })),
  pageSize: optional(integer({ minimum: 1, maximum: 100, default: 25 })),
  cursor: optional(
    string({ description: 'Empty for the first page, then the nextCursor of the previous page.' }),
  ),
};

/** The fields of a page. With `isEstimated`, the list does not always count all matches. */
export const pageFields = <S extends TSchema>(item: S, isEstimated: boolean) => ({
  data: array(item),
  totalCount: integer({ examples: [1] }),
  totalPages: integer({ examples: [1] }),
  currentPage: integer({ examples: [1] }),
  ...(isEstimated && {
    totalIsLowerBound: optional(
      boolean({
        description: 'True if more records may match than `totalCount` says. Otherwise absent.',
        examples: [true],
      }),
    ),
  }),
  nextCursor: optional(
    nullable(
      string({
        description: 'The cursor of the next page; null on the last page. Only if the request has a cursor.',
        examples: ['aMDIxNDU2MzM5ODEyMDQ0OQ'],
      }),
    ),
  ),
});
