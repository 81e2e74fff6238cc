import { redirect } from '@remix-run/node';

export { exportResult as action } from '../features/tasks/result/download/export.server';

/** Reached after a login that interrupted the export. */
export const loader = () => redirect('/history', 303);
