import type { LinksFunction } from '@remix-run/node';
import { Outlet, useLocation } from '@remix-run/react';
import Search from 'lucide-react/icons/search';
import { useTranslation } from 'react-i18next';
import { AppLink, useAppNavigate } from '../../ui/page/app-link';
import styles from './guide.css?url';
import { FIRST_SECTION, SECTIONS, sectionAddress } from './sections';

export const handle = { i18n: ['support'] };

export const links: LinksFunction = () => [{ rel: 'stylesheet', href: styles }];

/** Search and navigation of the guide, around its pages. */
export default function DevelopersLayout() {
  const { t } = useTranslation('support');
  return (
    <div className="mx-auto grid w-full max-w-7xl flex-1 grid-cols-[minmax(0,1fr)] content-start gap-x-12 px-5 pb-16 sm:px-8 lg:grid-cols-[13rem_minmax(0,1fr)] lg:pt-6">
      <div className="flex flex-col gap-4 lg:sticky lg:top-6 lg:gap-6 lg:self-start">
        <GuideSearch />
        <nav aria-label={t('developers.navigation')}>
          <ul className="scroll-row text-sm lg:flex-col lg:flex-nowrap">
            {SECTIONS.map((section) => (
              <li key={section}>
                <NavigationLink to={sectionAddress(section)}>{t(`developers.sections.${section}`)}</NavigationLink>
              </li>
            ))}
            <li>
              <NavigationLink to="/developers/reference">{t('developers.reference.docs')}</NavigationLink>
            </li>
            <li>
              <a href="/api/openapi.json" className={LINK}>
                {t('developers.reference.openapi')}
              </a>
            </li>
          </ul>
        </nav>
      </div>
      <Outlet />
    </div>
  );
}

const LINK =
  'flex min-h-10 items-center rounded-control px-3 py-1.5 whitespace-nowrap text-muted transition hover:text-ink aria-[current=page]:bg-quiet aria-[current=page]:font-medium aria-[current=page]:text-ink lg:-ms-3 lg:min-h-9 lg:whitespace-normal';

const START = sectionAddress(FIRST_SECTION);

/** Current on the pages below it, too. */
function NavigationLink({ to, children }: { readonly to: string; readonly children: string }) {
  const { pathname } = useLocation();
  return (
    <AppLink
      to={to}
      className={LINK}
      aria-current={pathname === to || (to !== START && pathname.startsWith(`${to}/`)) ? 'page' : undefined}
    >
      {children}
    </AppLink>
  );
}

const SEARCH = '/developers/search';

/** A form; with JavaScript it searches while the visitor types. */
function GuideSearch() {
  const { t } = useTranslation('support');
  const { pathname, search } = useLocation();
  const navigate = useAppNavigate();
  const parameters = new URLSearchParams(search);
  const version = parameters.get('v');
  const show = (query: string) =>
    navigate(`${SEARCH}?${new URLSearchParams({ q: query })}`, {
      replace: pathname === SEARCH,
      preventScrollReset: true,
    });
  return (
    <search>
      <form
        action={SEARCH}
        className="relative"
        onSubmit={(event) => {
          event.preventDefault();
          show(String(new FormData(event.currentTarget).get('q') ?? ''));
        }}
      >
        {version !== null && <input type="hidden" name="v" value={version} />}
        <Search aria-hidden className="pointer-events-none absolute inset-s-3.5 inset-y-0 my-auto size-4 text-muted" />
        <input
          type="search"
          name="q"
          maxLength={100}
          autoComplete="off"
          aria-label={t('developers.search.label')}
          placeholder={t('developers.search.label')}
          defaultValue={pathname === SEARCH ? (parameters.get('q') ?? '') : ''}
          onInput={({ currentTarget }) => show(currentTarget.value)}
          className="field ps-10"
        />
      </form>
    </search>
  );
}
