import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { readFields } from '../../http/form.server';
import { throwPageFor } from '../../http/problem.server';
import { consumeFlash, setFlash } from '../../session/flash.server';
import { DIRECTIONS, THEMES } from './specimens';

function requireLocalEnvironment({ context }: LoaderFunctionArgs): void {
  if (context.settings.environment !== 'local') throwPageFor('request.not_found', context);
}

/** The galleries of modals. */
export function loadModalGallery(args: LoaderFunctionArgs): null {
  requireLocalEnvironment(args);
  return null;
}

/** `?theme=dark&dir=rtl` shows one variant. */
export async function loadGallery(args: LoaderFunctionArgs) {
  requireLocalEnvironment(args);
  const { request, context } = args;
  const { searchParams } = new URL(request.url);
  const flash = await consumeFlash({ request, context });
  const variants = THEMES.flatMap((theme) => DIRECTIONS.map((direction) => ({ theme, direction }))).filter(
    ({ theme, direction }) =>
      theme === (searchParams.get('theme') ?? theme) && direction === (searchParams.get('dir') ?? direction),
  );
  return { flash, variants };
}

export async function submitGallery(args: ActionFunctionArgs) {
  requireLocalEnvironment(args);
  const { request, context } = args;
  const form = await readFields(request, context);
  if (form.has('flash')) {
    await setFlash('flash', context);
    return redirect(`/ui${new URL(request.url).search}`, 303);
  }
  return { received: [...form].map(([name, value]) => `${name}=${value}`) };
}
