import { AppLink } from './app-link';
import { useScrollRow } from './use-scroll-row';

interface LinkRowProps {
  readonly label: string;
  readonly links: readonly { readonly to: string; readonly text: string; readonly isCurrent: boolean }[];
  readonly preventScrollReset?: boolean;
}

/** Views of a page to choose from, in a row that scrolls on narrow screens. */
export function LinkRow({ label, links, preventScrollReset = false }: LinkRowProps) {
  const row = useScrollRow<HTMLElement>(links.findIndex(({ isCurrent }) => isCurrent));
  return (
    <nav ref={row} aria-label={label} className="scroll-row">
      {links.map(({ to, text, isCurrent }) => (
        <AppLink
          key={to}
          to={to}
          preventScrollReset={preventScrollReset}
          className="flex min-h-11 shrink-0 items-center rounded-full px-4 text-sm font-medium text-muted transition hover:text-ink aria-[current]:bg-quiet aria-[current]:text-ink forced-colors:aria-[current]:border"
          {...(isCurrent ? { 'aria-current': 'page' } : {})}
        >
          {text}
        </AppLink>
      ))}
    </nav>
  );
}
