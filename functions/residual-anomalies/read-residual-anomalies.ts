import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { readAnomalies } from '../../shared/residuals/anomalies/read-anomalies.ts';
import { AnomaliesQuery, ResidualAnomalies } from '../../shared/residuals/anomalies/schema.ts';

export default endpoint({
  method: 'GET',
  path: '/residual-anomalies',
  permission: 'readResiduals',
  query: AnomaliesQuery,
  response: ResidualAnomalies,
  summary: 'Find anomalies of a month of residuals',
  description:
    'Compares the latest files of the month with those of the month before, and the posted shares and the splits of merchants with the agreements. Read it before a run is approved. A month with too many rows for one request is refused without `processor`.',
  read: (request) => readAnomalies(request),
  decide: (_, response) => ({ response }),
});
