import { type Currency, countryFrom, currencyForVisitor, isCurrency } from '@clearframe/contract';
import { type ActionFunctionArgs, type AppLoadContext, redirect } from '@remix-run/node';
import { RETURN_PARAMETER, returnAddress } from '../../http/landing';
import { throwPageFor } from '../../http/problem.server';
import { readSmallForm } from '../../http/small-form.server';
import { languagesIn } from '../../i18n/negotiate';
import { chosenCurrency, currencyCookie } from '../../session/preferences.server';

/** The currency of the prices a visitor is shown: the chosen one, else that of their country or region. */
export async function currencyOf(request: Request, { settings }: AppLoadContext): Promise<Currency> {
  const { headers } = request;
  const country = settings.countryHeader === null ? null : countryFrom(headers.get(settings.countryHeader));
  const languages = languagesIn(headers.get('accept-language'));
  return (await chosenCurrency(request)) ?? currencyForVisitor({ country, languages });
}

/** Remembers a currency and returns to the page on which it was chosen. */
export async function chooseCurrency({ request, context }: ActionFunctionArgs): Promise<Response> {
  const form = await readSmallForm(request, context);
  const currency = form.get('currency');
  if (!isCurrency(currency)) return throwPageFor('request.invalid', context);
  return redirect(returnAddress(form.get(RETURN_PARAMETER)), {
    status: 303,
    headers: { 'set-cookie': await currencyCookie(currency, context) },
  });
}
