/**
 * Enhances a photo and waits for the result. A line for each argument: short ones fit on a phone.
 * @param api base URL of the API's routes
 */
export const enhanceExample = (api: string): string =>
  ["curl -H 'X-Api-Key: cfk_…'", "-H 'Prefer: wait=60'", '-F file=@photo.jpg -o result.png', `${api}/enhance`].join(
    ' \\\n  ',
  );
