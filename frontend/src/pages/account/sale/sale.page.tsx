import type { SaleData } from '../../../api/content.ts'
import type { PageProps } from '../../../app/page-module.ts'
import { Campaign } from './campaign.tsx'
import { Coupon } from './coupon.tsx'
import { Gift } from './gift.tsx'
import { Transfer } from './transfer.tsx'
import { Withdrawal } from './withdrawal.tsx'

/** The small pages of selling: one file, so that the table of pages stays short. */
export function Page({ page }: PageProps<SaleData>) {
  const { data } = page
  switch (data.step) {
    case 'campaign':
      return <Campaign {...data} />
    case 'coupon':
      return <Coupon {...data} />
    case 'gift':
      return <Gift {...data} url={page.url} />
    case 'transfer':
      return <Transfer {...data} />
    case 'withdrawal':
      return <Withdrawal {...data} />
  }
}
