import { readResidualFile } from '../../shared/residuals/files/read-residual-file.ts';
import { calculateResidualRun } from '../../shared/residuals/runs/calculate-run.ts';
import { postResidualRun, reverseResidualRun } from '../../shared/residuals/statements/post-run.ts';
import { jobHandler } from '../../shared/work-queue/jobs.ts';
import { workQueueConsumer } from '../work-queue-consumer.ts';

const handler = jobHandler({
  read_residual_file: readResidualFile,
  calculate_residual_run: calculateResidualRun,
  post_residual_run: postResidualRun,
  reverse_residual_run: reverseResidualRun,
});

/** Runs the work queues of residuals. */
export default workQueueConsumer('residuals', ({ name }) => (name === 'RESIDUALS' ? handler : undefined));
