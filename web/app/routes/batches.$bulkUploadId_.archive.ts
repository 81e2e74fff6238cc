export { downloadBatch as loader } from '../features/batch/server/batch-archive.server';
