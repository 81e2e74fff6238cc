import ArrowRight from 'lucide-react/icons/arrow-right';
import { accountAddress } from '../../session/account-tabs';
import { buttonClass } from '../../ui/controls/button';
import { AppLink } from '../../ui/page/app-link';
import type { PlansLink } from './sections';
import type { WorkspaceView } from './workspace.server';

interface WorkspaceProps {
  readonly workspace: WorkspaceView;
  /** Null for those who have a plan. */
  readonly plansLink: PlansLink | null;
}

/** Beside the drop area: the last results, and what is left of the plan. */
export function Workspace({ workspace: { recent, title, allowance }, plansLink }: WorkspaceProps) {
  return (
    <div className="flex min-w-0 flex-col gap-6 sideways:col-start-2 sideways:row-span-2 sideways:row-start-1 lg:col-start-2 lg:row-span-2 lg:row-start-1">
      <section aria-labelledby="recent" className="flex flex-col gap-4">
        <h2 id="recent" className="text-title">
          <AppLink to="/history" className="flex items-center justify-between gap-4">
            {title}
            <ArrowRight aria-hidden className="size-5 shrink-0 text-muted rtl:-scale-x-100" />
          </AppLink>
        </h2>
        <ul className="grid grid-cols-3 gap-3">
          {recent.map(({ address, thumbnailUrl, name }) => (
            <li key={address}>
              <AppLink
                to={address}
                aria-label={name}
                className="block aspect-square overflow-hidden rounded-card bg-well shadow-soft transition hover:-translate-y-0.5 hover:shadow-float"
              >
                <img src={thumbnailUrl} alt="" width={200} height={200} className="size-full object-cover" />
              </AppLink>
            </li>
          ))}
        </ul>
      </section>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-card bg-well px-6 py-4">
        <AppLink to={accountAddress('limits')} className="flex min-h-11 flex-col justify-center">
          <span className="text-sm text-muted">{allowance.title}</span>
          <span className="text-lg font-medium">{allowance.text}</span>
        </AppLink>
        {plansLink && (
          <AppLink to={plansLink.to} className={buttonClass('quiet')}>
            {plansLink.text}
          </AppLink>
        )}
      </div>
    </div>
  );
}
