import { Link, type LinkProps, useLocation, useNavigate } from '@remix-run/react';
import { forwardRef, useCallback } from 'react';
import { preserveVersionParam } from '../../http/landing';

export type AppLinkProps = Omit<LinkProps, 'to'> & {
  /** From the root. */
  readonly to: string;
};

/** A link to a page of ours, which keeps what the visitor landed with. */
export const AppLink = forwardRef<HTMLAnchorElement, AppLinkProps>(function AppLink({ to, ...rest }, ref) {
  const { search } = useLocation();
  return <Link ref={ref} to={preserveVersionParam(to, search)} {...rest} />;
});

/** Goes to a page of ours like {@link AppLink}. */
export function useAppNavigate() {
  const navigate = useNavigate();
  const { search } = useLocation();
  return useCallback(
    (to: string, options?: { readonly replace?: boolean; readonly preventScrollReset?: boolean }) =>
      navigate(preserveVersionParam(to, search), options),
    [navigate, search],
  );
}
