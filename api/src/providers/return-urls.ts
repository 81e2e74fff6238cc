/** Addresses to which a provider's page leads back, as its form in the browser does. */
export function returnUrlsOf(returnUrl: string): { readonly succeeded: string; readonly canceled: string } {
  const start = `${returnUrl}${returnUrl.includes('?') ? '&' : '?'}redirect_status=`;
  return { succeeded: `${start}succeeded`, canceled: `${start}canceled` };
}
