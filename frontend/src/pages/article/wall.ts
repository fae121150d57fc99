import type { ArticleData } from '../../api/content.ts'

/** What a banner says of a text that is withheld: log in to read some free of charge, all free ones are read, or it is for subscribers. */
export type Wall = 'login' | 'limit' | 'subscribers'

/** Which banner stands there: where nothing is free of charge, neither a login nor waiting opens it. */
export const wallOf = (reason: ArticleData['reason'], freeArticles: number): Wall => (freeArticles > 0 && (reason === 'login' || reason === 'limit') ? reason : 'subscribers')
