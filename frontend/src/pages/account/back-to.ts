/** The query that carries on where the reader came from; the front page goes without saying. */
export const backTo = (referrer: string) => ({ referrer: referrer === '' || referrer === '/' ? undefined : referrer })
