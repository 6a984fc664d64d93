import { listing } from '../../shared/endpoints/listing.ts';
import { ResidualRun } from '../../shared/residuals/runs/schema.ts';
import { residualRuns, type StoredRun } from '../../shared/residuals/runs/store.ts';
import type { Static } from '../../shared/schema.ts';
import type { ListSource } from '../../shared/table/list-source.ts';

export default listing(
  {
    path: '/residual-runs',
    permission: 'readResiduals',
    item: ResidualRun,
    fields: { month: ['filter', 'sort'], state: ['filter'], createdAt: ['sort'] },
    summary: 'List runs of residuals',
  },
  ({ account }): ListSource<Static<typeof ResidualRun>, StoredRun> => ({
    ...residualRuns.listOf(account),
    show: async (page) => page.map(residualRuns.show),
  }),
);
