import { Link, type LinkProps, useLocation, useNavigate } from '@remix-run/react';
import { forwardRef, useCallback } from 'react';
import { preserveVersionParam } from '../../http/internal-address';

export type AppLinkProps = Omit<LinkProps, 'to'> & {
  readonly to: string;
};

export const TEXT_LINK = 'text-ink underline decoration-line underline-offset-4 transition hover:decoration-current';

/** Preserves the version parameter. */
export const AppLink = forwardRef<HTMLAnchorElement, AppLinkProps>(function AppLink({ to, ...rest }, ref) {
  const { search } = useLocation();
  return <Link ref={ref} to={preserveVersionParam(to, search)} {...rest} />;
});

export function useAppNavigate() {
  const navigate = useNavigate();
  const { search } = useLocation();
  return useCallback(
    (to: string, options?: { readonly replace?: boolean; readonly preventScrollReset?: boolean }) =>
      navigate(preserveVersionParam(to, search), options),
    [navigate, search],
  );
}
