import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { z } from 'zod';
import { readForm } from '../../http/form.server';
import { RETURN_PARAMETER, returnAddress } from '../../http/internal-address';
import { throwPageFor } from '../../http/problem.server';
import { themeCookie } from '../../session/preferences.server';
import { THEMES } from '../../ui/page/document-data';

const themeForm = z.object({ theme: z.enum(THEMES), [RETURN_PARAMETER]: z.string().optional() });

export function loader({ context }: LoaderFunctionArgs) {
  return throwPageFor('request.not_found', context);
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { theme, from } = await readForm(request, context, themeForm);
  await themeCookie.write(theme, context);
  return redirect(returnAddress(from), 303);
}

/** Never rendered: errors of the action get an error page. */
export default function ThemeRoute() {
  return null;
}
