import type { LoaderFunctionArgs } from '@remix-run/node';
import { orNull, throwPageFor } from '../../http/problem.server';
import { translatorFor } from '../../i18n/i18n.server';
import { renderSection } from './guide.server';
import { loadKeyAccess } from './key-access.server';
import { serverLimits } from './reference.server';
import { FIRST_SECTION, isSection } from './sections';

export async function loadSection({ request, context, params }: LoaderFunctionArgs) {
  const { section = FIRST_SECTION } = params;
  if (!isSection(section)) return throwPageFor('request.not_found', context);
  const t = await translatorFor(request, 'support');
  // The guide is readable without the backend.
  const limits = await orNull(serverLimits(context), { request, context });
  const { html, headings } = renderSection(section, context.settings.publicUrl, limits);
  return {
    section,
    html,
    headings,
    access: section === FIRST_SECTION ? await loadKeyAccess(request, context) : null,
    title:
      section === FIRST_SECTION
        ? t('developers.title')
        : `${t(`developers.sections.${section}`)} · ${t('developers.title')}`,
    description: t('developers.lead'),
  };
}
