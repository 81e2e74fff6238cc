import { redirect } from '@remix-run/node';

export { exportResult as action } from '../features/tasks/result/export.server';

/** Somebody who was asked to log in on the way. */
export const loader = () => redirect('/history', 303);
