import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { RETURN_PARAMETER, returnAddress } from '../http/landing';
import { throwPageFor } from '../http/problem.server';
import { readSmallForm } from '../http/small-form.server';
import { themeCookie } from '../session/preferences.server';
import { isTheme } from '../ui/page/theme';

export function loader({ context }: LoaderFunctionArgs) {
  return throwPageFor('request.not_found', context);
}

/** Remembers the looks and goes back to where they were chosen. */
export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readSmallForm(request, context);
  const theme = form.get('theme');
  if (!isTheme(theme)) return throwPageFor('request.invalid', context);
  return redirect(returnAddress(form.get(RETURN_PARAMETER)), {
    status: 303,
    headers: { 'set-cookie': await themeCookie(theme, context) },
  });
}

/** Never shown: with it, what goes wrong here is a page of its own. */
export default function NothingHere() {
  return null;
}
