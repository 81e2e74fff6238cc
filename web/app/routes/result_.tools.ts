import { redirect } from '@remix-run/node';

export { applyTools as action } from '../features/tasks/tools/apply/apply.server';

/** Reached after a login that interrupted the form. */
export const loader = () => redirect('/history', 303);
