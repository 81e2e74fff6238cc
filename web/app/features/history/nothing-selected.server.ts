import { type AppLoadContext, redirect } from '@remix-run/node';
import { preserveVersionParam } from '../../http/internal-address';
import { setFlash } from '../../session/flash.server';
import { listIn } from './change.server';

/** Returns to the list, which says that nothing is selected: without JavaScript its buttons are always enabled. */
export async function throwNothingSelected(request: Request, context: AppLoadContext): Promise<never> {
  const { search } = new URL(request.url);
  const { pathname, search: filter } = listIn(search);
  const headers = new Headers();
  await setFlash('nothingSelected', headers, context);
  throw redirect(preserveVersionParam(`${pathname}${filter}`, search), { headers });
}
