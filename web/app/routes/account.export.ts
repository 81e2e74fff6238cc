export { downloadExport as loader } from '../features/account/erasure/export.server';
