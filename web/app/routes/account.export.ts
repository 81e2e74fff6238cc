export { downloadExport as loader } from '../features/account/export.server';
