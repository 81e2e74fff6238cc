export { loadBatchData as loader } from '../features/batch/server/batch.server';
