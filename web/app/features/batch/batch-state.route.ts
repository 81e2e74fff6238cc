export { loadBatchData as loader } from './batch.server';
